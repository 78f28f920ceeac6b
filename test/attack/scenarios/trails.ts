import { tamperWith } from '../../support/audit.js';
import { allOf, attacks, cutAfter, type TrailAttack } from '../../support/trail-attacks.js';
import { send, sendGraphQL, tally } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

/** Positions of the checkpoints, besides that of the first entry. */
const SIGNED = [5, 12, 27];
const ENTRIES = 27;

interface Violation {
  position: number;
  reason: string;
}

/** A database superuser manipulates audit trails without the key: both APIs report it, and nothing is signed. */
export async function trails({ start, facts, report, installation }: Testbed): Promise<void> {
  const gateway = await start();
  const { database } = installation;
  const { owner } = facts.tokens;
  const rows = <Row extends object>(text: string, values: unknown[] = []) => database.rows<Row>(text, values);

  const call = (method: string, path: string, body?: object) =>
    send(gateway, { method, path: `/api/v1/organizations${path}`, token: owner, ...(body && { body }) });

  const newTrail = async () => {
    const { id } = JSON.parse((await call('POST', '', { name: 'To be kept' })).text).data as { id: number };
    for (let position = 1; position <= ENTRIES; position += 1) {
      if (position > 1) await call('PATCH', `/${id}`, { description: `Number ${position}` });
      if (SIGNED.includes(position)) await call('POST', `/${id}/audit-trail/checkpoints`);
    }
    const [log] = await rows<{ id: number }>('select id from audit_log where organization_id = $1', [id]);
    return { id, logId: log!.id };
  };

  const violations = async (id: number): Promise<(Violation | null)[]> => {
    const rest = await call('GET', `/${id}/audit-trail/verification`);
    const query = `{ organization(id: ${id}) { auditTrailVerification { fault { position reason } } } }`;
    const graphql = await sendGraphQL(gateway, { query, token: owner });
    return [
      JSON.parse(rest.text).data.fault,
      JSON.parse(graphql.text).data.organization.auditTrailVerification.fault,
    ] as (Violation | null)[];
  };

  const tryAttack = async ({ what, attack, found }: TrailAttack) => {
    const { id, logId } = await newTrail();
    const before = await violations(id);
    await tamperWith(database, ...(await attack(logId)));
    const after = await violations(id);
    const refused = [
      await call('GET', `/${id}/audit-trail.ndjson`),
      await call('GET', `/${id}/audit-trail.csv`),
      await call('POST', `/${id}/audit-trail/checkpoints`),
    ];
    const isNamed = after.every(
      (violation) => violation?.position === found.position && violation.reason === found.reason,
    );
    const passed =
      before.every((violation) => violation === null) && isNamed && refused.every(({ status }) => status === 409);
    report.record(what, 1, passed, `${found.reason} at ${found.position}; ${tally(refused)}`);
  };
  for (const attack of attacks(rows)) await tryAttack(attack);

  const { id, logId } = await newTrail();
  await violations(id);
  await rows(
    `insert into audit_entry (log_id, position, entry, hash) select log_id, 28, entry, hash from audit_entry where log_id = $1 and position = 27`,
    [logId],
  );
  const writes = [];
  for (let count = 0; count < 20; count += 1)
    writes.push(await call('PATCH', `/${id}`, { description: `After it ${count}` }));
  const isWorking =
    writes.every(({ status }) => status === 200) && (await violations(id)).every((violation) => violation === null);
  report.record(
    'an entry put behind the head: the organization goes on working',
    writes.length,
    isWorking,
    tally(writes),
  );

  const deleted = await newTrail();
  await violations(deleted.id);
  await tamperWith(
    database,
    ...allOf(deleted.logId, 'audit_entry', 'audit_checkpoint', 'audit_seal', 'audit_log'),
    ...cutAfter(deleted.logId, 1),
  );
  await call('PATCH', `/${deleted.id}`, { description: 'Begun anew' });
  const anew = await violations(deleted.id);
  report.record(
    'a trail deleted, and begun anew by a change',
    1,
    anew.every((violation) => violation !== null),
  );
}
