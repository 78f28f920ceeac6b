import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds between two polls, each of which reads all trails once they are sealed. */
const PAUSE = 500;

const SEALED = `select not exists (
  select from audit_log l left join audit_seal s on s.log_id = l.id
   where s.position is distinct from l.position or s.published < s.checkpoints) as done`;

/** Resolves when gateways have sealed every audit trail up to its head and stored its checkpoints. */
export async function untilSealed(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    while (!(await client.query<{ done: boolean }>(SEALED)).rows[0]!.done) await sleep(PAUSE);
  } finally {
    await client.end();
  }
}
