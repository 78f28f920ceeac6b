import { TSMigrationGenerator } from '@mikro-orm/migrations';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Diff = Parameters<TSMigrationGenerator['generate']>[0];

/** Writes a migration in the project's form and appends it to the list. It has a name and no `down`. */
export class MigrationGenerator extends TSMigrationGenerator {
  override async generate(diff: Diff, path = 'src/database/migrations', name = ''): Promise<[string, string]> {
    if (!/^[a-z]+(?:-[a-z]+)*$/.test(name))
      throw new Error('A migration has a name in small letters: npm run migration:create -- --name assets');
    const className = name.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase());
    const fileName = `${name}.ts`;
    const text = this.generateMigrationFile(className, diff);
    writeFileSync(join(path, fileName), text, { flag: 'wx' });
    const list = join(path, 'index.ts');
    writeFileSync(list, withMigration(readFileSync(list, 'utf8'), name, className));
    return [text, fileName];
  }

  override generateMigrationFile(className: string, { up }: Diff): string {
    const statements = up.map((statement) => statement && `      ${statement.replaceAll(/[`$\\]/g, '\\$&')}`);
    return `import { Migration } from '@mikro-orm/migrations';

export class ${className} extends Migration {
  override name = '${className}';

  override up(): void {
    this.addSql(\`
${statements.join('\n')}
    \`);
  }
}
`;
  }
}

/** The list of migrations with the new one at its end. */
function withMigration(list: string, name: string, className: string): string {
  const imported = `import { ${className} } from './${name}.js';\n`;
  const listed = `  { name: '${className}', class: ${className} },\n`;
  return list.replace(/\n\n/, `\n${imported}\n`).replace(/\];\n$/, `${listed}];\n`);
}
