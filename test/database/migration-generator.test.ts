import { expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import config from '../../mikro-orm.config.js';

const INDEX = resolve(import.meta.dirname, '../../src/database/migrations/index.ts');
const DIFF = {
  up: ['create table "asset" ("id" bigserial primary key);', '', "select 'a`b$c';"],
  down: ['drop table "asset";'],
};

async function generate(path: string, name?: string) {
  const orm = await MikroORM.init(config);
  return new config.migrations.generator(
    orm.em.getDriver(),
    orm.config.getNamingStrategy(),
    config.migrations,
  ).generate(DIFF, path, name);
}

test('a migration is written as those before are, and is the last one of their list', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-migrations-'));
  try {
    copyFileSync(INDEX, join(folder, 'index.ts'));
    await generate(folder, 'asset-owners');
    expect(readFileSync(join(folder, 'asset-owners.ts'), 'utf8'))
      .toBe(`import { Migration } from '@mikro-orm/migrations';

export class AssetOwners extends Migration {
  override name = 'AssetOwners';

  override up(): void {
    this.addSql(\`
      create table "asset" ("id" bigserial primary key);

      select 'a\\\`b\\$c';
    \`);
  }
}
`);
    const [before, after] = [INDEX, join(folder, 'index.ts')].map((file) => readFileSync(file, 'utf8').split('\n'));
    const added = [
      "import { AssetOwners } from './asset-owners.js';",
      "  { name: 'AssetOwners', class: AssetOwners },",
    ];
    expect(after!.filter((line) => !before!.includes(line))).toEqual(added);
    expect(after!.slice(-3)).toEqual([added[1], '];', '']);
    expect(after!.filter((line) => !added.includes(line))).toEqual(before);
    await expect(generate(folder, 'asset-owners')).rejects.toThrow('EEXIST');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([undefined, 'AssetOwners', 'asset owners', '../assets'])('a migration is not called %s', async (name) => {
  await expect(generate('nowhere', name)).rejects.toThrow('npm run migration:create -- --name assets');
});
