import { MikroORM } from '@mikro-orm/postgresql';
import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { createEmptyDatabase } from '../support/database.js';

const INSERT = `insert into audit_checkpoint (log_id, position, hash, created_at, key_id, signature)
  values ($1, $2, 'hash', now(), 'key', 'signature')`;

test('checkpoints of an earlier schema are numbered in their order, and an instance of that version goes on making some', async () => {
  const database = await createEmptyDatabase();
  const client = new Client({ connectionString: database.url });
  try {
    const orm = await MikroORM.init(ormOptions({ url: database.url, poolSize: 2 }));
    await orm.migrator.up({ to: 'InitialSchema' });
    await orm.close(true);
    await client.connect();
    for (const [log, position] of [
      [1, 40],
      [1, 7],
      [2, 3],
      [1, 12],
    ])
      await client.query(INSERT, [log, position]);
    await migrate(database.url);
    await client.query(INSERT, [1, 51]);
    await client.query(INSERT, [3, 1]);
    const { rows } = await client.query(
      'select log_id::int as log, position::int, number, previous from audit_checkpoint order by log_id, number',
    );
    expect(rows.map(({ log, position, number, previous }) => [log, position, number, previous])).toEqual([
      [1, 7, 1, null],
      [1, 12, 2, null],
      [1, 40, 3, null],
      [1, 51, 4, null],
      [2, 3, 1, null],
      [3, 1, 1, null],
    ]);
    await expect(client.query('update audit_checkpoint set number = 9')).rejects.toThrow(/append-only/);
  } finally {
    await client.end();
    await database.drop();
  }
});
