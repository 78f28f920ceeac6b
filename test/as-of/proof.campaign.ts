import { beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { APIS, type Api } from '../support/apis.js';
import { pruneTrail, verifyProofOffline, type OfflineVerification } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { proofAnswer, proofLines, proofThrough, type ProofLine, type ProofQuery } from '../support/proofs.js';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { multipart } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, type Person } from '../support/test-data.js';

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { database, services } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();

const proofOf = (text: string) => proofLines(text)[0]!.proof!;

async function exported(id: number, query: ProofQuery, owner: Person, api: Api = 'REST') {
  const { status, text, story } = await proofThrough(api, gateway, id, query, owner.token);
  expect({ status, story: status === 200 ? '' : story }).toEqual({ status: 200, story: '' });
  return text;
}

/** The result of the script for a proof, with the key that the gateway publishes. */
async function verified(text: string | Buffer, ...checkpoints: string[]): Promise<string> {
  const keys = (await gateway.rest.get('/.well-known/audit-keys.json')).body;
  return said(await verifyProofOffline(text, { keys, checkpoints }));
}

const said = ({ exitCode, output }: OfflineVerification) => `${exitCode} ${output}`;
const verifiedAlone = async (text: string) => said(await verifyProofOffline(text));

/** The lines, signed again as the gateway's administrator could. */
function resigned(lines: readonly ProofLine[], secretKey = gateway.config.secretKey): string {
  const text = lines
    .slice(0, -1)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const signature = new CheckpointKey(secretKey).signManifest(`proof ${sha256}`).toString('base64url');
  return `${text}${JSON.stringify({ signature: { sha256, signature } })}\n`;
}

/** An organization with many random changes, at that time and one and two hours later. */
async function changed(seed: number) {
  clock.set(0);
  const changes = await RandomChanges.begin(gateway, seededRandom(seed));
  await changes.run(60);
  for (const hours of [1, 2]) {
    clock.set(hours);
    await changes.run(12);
  }
  await withoutCopy(changes.organization);
  clock.set(3);
  return changes;
}

/** An incident with a report whose copy was deleted. */
async function withoutCopy({ id, owner: { token } }: RandomChanges['organization']) {
  const incidents = `/api/v1/v-ciso/incidents/${id}`;
  const post = async (path: string, request: object) => {
    const { body, status, story } = await gateway.rest.call('POST', path, { token, ...request });
    expect([status, status === 201 ? '' : story]).toEqual([201, '']);
    return (body.data as { id: number }).id;
  };
  const incident = await post(incidents, { body: { title: 'Reported', severity: 'HIGH', significant: true } });
  const one = `${incidents}/${incident}`;
  const { filename, contentType, bytes } = samples.PDF;
  const form = multipart([{ name: 'file', filename, type: contentType, content: bytes }]);
  const copy = await post(`${one}/attachments`, form);
  await post(`${one}/reports`, { body: { regime_id: 'nis2', stage: 'EARLY_WARNING', attachment_id: copy } });
  const deleted = await gateway.rest.call('DELETE', `${one}/attachments/${copy}`, { token });
  expect(deleted.status).toBe(200);
}

describe('a proof', () => {
  let changes: RandomChanges;
  let proof: string;
  const organization = () => changes.organization;

  beforeAll(async () => {
    changes = await changed(11);
    proof = await exported(organization().id, { as_of: at(1.5) }, organization().owner);
  });

  test.each(APIS)('through %s verifies for each instant, for an object, and after an erasure', async (api) => {
    const { id, owner } = organization();
    for (const as_of of [at(0), at(1), at(1.5), at(2.5)]) {
      const text = await exported(id, { as_of }, owner, api);
      const { position, last } = proofOf(text);
      const valid = new RegExp(
        `^0 valid: all of organization/${id} as of ${as_of} is what the entries up to ${position} leave, checkpoint of \\S+ at position ${last}$`,
      );
      expect(await verified(text)).toMatch(valid);
    }
    const [incident] = organization().incidents;
    const one = await exported(id, { as_of: at(2.5), object: `INCIDENT/${incident}` }, owner, api);
    expect(await verified(one)).toMatch(`0 valid: INCIDENT/${incident} of organization/${id}`);
    const { incident: rows, incident_note: notes } = proofAnswer(one);
    expect(rows?.map((row) => row['id'])).toEqual([incident]);
    expect(notes?.every((row) => row['incidentId'] === incident)).toBe(true);
    const [member] = organization().members;
    expect((await changes.erase(member!)).status).toBe(200);
    expect(await verified(await exported(id, {}, owner, api))).toMatch(/^0 valid/);
  });

  test('has the rows that an answer as of the instant is made of', async () => {
    const { id, owner } = organization();
    const { body } = await gateway.rest.get(`/api/v1/v-ciso/incidents/${id}?limit=100&as_of=${at(1.5)}`, {
      token: owner.token,
    });
    const listed = body.data as { id: number; title: string; status: string }[];
    const shown = (rows: readonly Record<string, unknown>[]) =>
      rows
        .map((row) => [row['id'], row['title'], row['status']])
        .toSorted(([one], [other]) => Number(one) - Number(other));
    expect(shown(proofAnswer(proof)['incident']!)).toEqual(shown(listed));
  });

  test('of a past day ends with the first checkpoint that shows it, and contains nothing later', async () => {
    const { id, owner } = organization();
    await gateway.rest.post(`/api/v1/organizations/${id}/audit-trail/checkpoints`, { token: owner.token });
    const lines = proofLines(await exported(id, { as_of: at(1) }, owner));
    const { position, last } = lines[0]!.proof!;
    const made = await database.rows<{ position: number }>(
      `select c.position from audit_checkpoint c join audit_log l on l.id = c.log_id
        where l.organization_id = $1 and c.position > $2 order by c.position limit 1`,
      [id, position],
    );
    expect([last, lines.filter(({ entry }) => entry).length]).toEqual([made[0]!.position, last]);
  });

  test('in which any byte of any line was changed does not verify', async () => {
    const bytes = Buffer.from(proof);
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([place]) => place);
    const lines = proofLines(proof);
    const kinds = ['proof', 'entry', 'earlier_checkpoint', 'checkpoint', 'answer', 'signature'];
    const places = kinds.flatMap((kind) => {
      const line = lines.findIndex((each) => kind in each);
      const [from, to] = [line === 0 ? 0 : ends[line - 1]! + 1, ends[line]!];
      // Its first and last byte, its end, and some between them.
      return [from, from + 3, Math.floor((from + to) / 2), Math.floor((from + 3 * to) / 4), to - 4, to - 1, to];
    });
    expect(new Set(places).size).toBe(7 * kinds.length);
    for (const place of places) {
      const other = Buffer.from(bytes);
      other[place] = other[place] === 0x41 ? 0x42 : 0x41;
      // A file without the beginning of a proof has the wrong type.
      const outcome = place === 0 ? /^2 nothing was verified: / : /^1 not valid: /;
      expect([place, await verified(other)]).toEqual([place, expect.stringMatching(outcome)]);
    }
    for (const name of ['keys', 'kid', 'organization', 'last', 'entry', 'signature'])
      expect(await verified(proof.replace(`"${name}":`, '"other":'))).toMatch(/^1 not valid: /);
    // Unused bits of base64, and blanks, are no alternative spelling of the signature.
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spelled = proof.replace(
      /(.)"\}\}\n$/,
      (_all, last: string) => `${ALPHABET[ALPHABET.indexOf(last) ^ 1]}"}}\n`,
    );
    expect(spelled).not.toBe(proof);
    for (const other of [spelled, proof.replace('{"signature":{', '{"signature": {')])
      expect(await verified(other)).toBe('1 not valid: the proof was changed: it is not as it was signed');
    for (const other of [`${proof} `, `${proof}\n`, proof.replace('{"answer"', '{ "answer"'), proof.slice(0, -1)])
      expect(await verified(other)).toMatch(/^1 not valid: /);
    for (const index of lines.keys()) {
      const without = proof.split('\n').toSpliced(index, 1).join('\n');
      if (index % 9 === 0 || index > lines.length - 4) expect(await verified(without)).toMatch(/^1 not valid: /);
    }
  });

  test('whose answer is another one does not verify, even when it was signed anew by the gateway', async () => {
    const other = proofLines(proof);
    other.find(({ answer }) => answer)!.answer!['incident']![0]!['title'] = 'Another title';
    expect(await verified(resigned(other))).toBe('1 not valid: the answer is not what the entries leave: incident');
    const fewer = proofLines(proof);
    fewer.find(({ answer }) => answer)!.answer!['membership']!.pop();
    expect(await verified(resigned(fewer))).toBe('1 not valid: the answer is not what the entries leave: membership');
  });

  test('that leaves entries out does not verify, even when it was signed anew by the gateway', async () => {
    const { id, owner } = organization();
    const earlier = proofOf(await exported(id, { as_of: at(0) }, owner));
    const lines = proofLines(proof);
    Object.assign(lines[0]!.proof!, { position: earlier.position, hash: earlier.hash });
    const left = `the answer leaves out entry ${earlier.position + 1}, which is not later than its instant`;
    expect(await verified(resigned(lines))).toBe(`1 not valid: ${left}`);
    // With only the newest entry, later ones than its checkpoint are unknown.
    const newest = proofLines(await exported(id, {}, owner));
    Object.assign(newest[0]!.proof!, { as_of: at(10) });
    const before = '1 not valid: the checkpoint was signed before the instant of the answer';
    expect(await verified(resigned(newest))).toBe(before);
    const later = proofLines(proof);
    Object.assign(later[0]!.proof!, { as_of: at(0) });
    expect(await verified(resigned(later))).toMatch(/^1 not valid: entry \d+ is later than the instant of the answer$/);
  });

  test('whose answer has entries that are not of the chain does not verify, even when it was signed anew by the gateway', async () => {
    const lines = proofLines(proof);
    const { position, hash } = lines[0]!.proof!;
    const { organization } = lines.find(({ answer }) => answer)!.answer!;
    const forged = lines.findLast(({ checkpoint }) => checkpoint)!;
    const [{ description, version, updatedAt: at }] = organization as [Record<string, string>];
    const entry = { action: 'ORGANIZATION_UPDATED', at: at!, changes: { description: { after: `${description}!` } } };
    Object.assign(forged, { position, hash, entry });
    Object.assign(organization![0]!, { description: `${description}!`, version: Number(version) + 1 });
    expect(await verified(resigned(lines))).toMatch(/^1 not valid: line \d+ is neither an entry nor a checkpoint$/);
  });

  test('whose position or instant is none does not verify, even when it was signed anew by the gateway', async () => {
    const { id, owner } = organization();
    // With an earlier response, which omits entries.
    const earlier = await exported(id, { as_of: at(0) }, owner);
    const { position } = proofOf(earlier);
    const others = [{ position: position + 0.5 }, { position: String(position) }];
    for (const other of [...others, { position, as_of: '2099-12-31T24:00:01Z' }]) {
      const forged = proofLines(proof);
      Object.assign(forged[0]!.proof!, { hash: proofOf(earlier).hash, ...other });
      Object.assign(
        forged.find(({ answer }) => answer)!,
        { answer: proofAnswer(earlier) },
      );
      expect(await verified(resigned(forged))).toBe(
        '1 not valid: the first line of the proof has no position and instant as the gateway writes them',
      );
    }
  });

  test('with another answer before the true one does not verify, even when it was signed anew by the gateway', async () => {
    const lines = proofLines(proof);
    const place = lines.findIndex(({ answer }) => answer);
    const twice = resigned(lines.toSpliced(place, 0, { answer: {} }));
    expect(await verified(twice)).toBe('1 not valid: the proof has several answers');
  });

  test('that another key has signed shows another fingerprint, and does not verify with the key file', async () => {
    const forged = proofLines(proof);
    const { keys } = new CheckpointKey('another secret key, as long as it takes').keySet as { keys: { kid: string }[] };
    forged[0]!.proof!.keys = keys;
    const text = resigned(forged, 'another secret key, as long as it takes');
    expect(await verified(text)).toMatch(/^1 not valid: /);
    const [{ kid }] = proofOf(proof).keys as [{ kid: string }];
    expect(await verifiedAlone(proof)).toMatch(`compare its fingerprint with one from elsewhere: ${kid}`);
    // The fingerprint cannot match other bytes of a key.
    forged[0]!.proof!.keys = [{ ...keys[0]!, kid }];
    expect(await verifiedAlone(resigned(forged))).toMatch(/^1 not valid: a key of the proof is not the one of its fin/);
  });

  test('is compared with hash and position that were written down elsewhere', async () => {
    const entries = proofLines(proof).filter(({ entry }) => entry);
    const { position, hash } = entries[4]!;
    expect(await verified(proof, `${hash}@${position}`)).toMatch(`\nagrees with ${hash}@${position}`);
    const other = `${'0'.repeat(64)}@${position}`;
    const differs = `1 not valid: entry ${position} is not the one of ${'0'.repeat(64)}`;
    expect(await verified(proof, other)).toBe(differs);
    const { last } = proofOf(proof);
    const later = `1 not valid: the proof ends with entry ${last}, before ${last + 1}: have one as of a later day`;
    expect(await verified(proof, `${hash}@${last + 1}`)).toBe(later);
    const [first] = proofLines(proof).flatMap((line) =>
      'earlier_checkpoint' in line ? [line.earlier_checkpoint] : [],
    );
    expect(await verified(proof, JSON.stringify(first))).toMatch(/\nagrees with /);
  });

  test('is recorded, and can be repeated in the same minute', async () => {
    const { id, owner } = organization();
    const object = `ORGANIZATION/${id}`;
    const again = () => exported(id, { as_of: at(3), object }, owner).then((text) => verified(text));
    expect([await again(), await again()]).toEqual([expect.stringMatching(/^0 /), expect.stringMatching(/^0 /)]);
    const { body } = await gateway.rest.get(`/api/v1/organizations/${id}/audit-trail?action=PROOF_EXPORTED&limit=1`, {
      token: owner.token,
    });
    expect((body.data as { changes: object[] }[])[0]?.changes).toEqual([
      { field: 'asOf', before: null, after: at(3) },
      { field: 'object', before: null, after: object },
    ]);
  });
});

test('a proof of an organization that was recorded as a whole begins there, with the sum that an entry has', async () => {
  const { organizationId: id, owner } = testData;
  const change = (description: string) =>
    gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token: owner.token, body: { description } });
  clock.set(0);
  await change('Before');
  clock.set(0.5);
  await services.recordedStates.recordMissing();
  clock.set(1);
  await change('Later');
  const text = await exported(id, { as_of: at(1) }, owner);
  expect(await verified(text)).toMatch(/^0 valid/);
  const forged = proofLines(text);
  const { beginning } = forged.find((line) => line.beginning)!;
  // As of an entry before the one that has recorded the state.
  const earlier = proofLines(text);
  const before = earlier.filter(({ entry }) => entry).find((line) => line.position === beginning!.position - 1)!;
  const { position, hash } = before;
  Object.assign(earlier[0]!.proof!, { position, hash, as_of: before.entry!.at });
  Object.assign(
    earlier.find(({ answer }) => answer)!,
    { answer: beginning!.rows },
  );
  expect(await verified(resigned(earlier))).toBe(
    `1 not valid: the state after entry ${beginning!.position} is later than the instant of the answer`,
  );
  Object.assign(beginning!.rows['membership']![0]!, { role: 'VIEWER' });
  expect(await verified(resigned(forged))).toBe(
    `1 not valid: no entry tells the state after entry ${beginning!.position}`,
  );
});

test('a proof of a trail that was pruned begins behind what was removed, with the sum that the record of that has', async () => {
  const owner = await buildPerson(database, 'owner');
  const post = (path: string, body?: object) => gateway.rest.post(path, { token: owner.token, ...(body && { body }) });
  clock.set(-402 * 24);
  const made = await post('/api/v1/organizations', { name: 'Old' });
  const { id } = made.body.data as { id: number };
  const rename = (name: string) =>
    gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token: owner.token, body: { name } });
  await rename('Older');
  const signed = await post(`/api/v1/organizations/${id}/audit-trail/checkpoints`);
  clock.set(0);
  await rename('New');
  await pruneTrail(gateway, id);
  clock.set(1);
  const text = await exported(id, { as_of: at(0.5) }, owner);
  expect(proofAnswer(text)['organization']).toMatchObject([{ name: 'New' }]);
  const { hash, position } = signed.body.data as { hash: string; position: number };
  expect(await verified(text, `${hash}@${position}`)).toMatch(/^0 valid.*\nagrees with /);
  const removed = `1 not valid: entry ${position} is not the one of ${'0'.repeat(64)}`;
  expect(await verified(text, `${'0'.repeat(64)}@${position}`)).toBe(removed);
  const forged = proofLines(text);
  Object.assign(forged.find((line) => line.beginning)!.beginning!.rows['organization']![0]!, { description: 'Forged' });
  expect(await verified(resigned(forged))).toBe(`1 not valid: no entry tells the state after entry ${position}`);
  // Without the starting state, only later changes would be included.
  const without = proofLines(text).filter((line) => !line.beginning);
  const tables = Object.keys(proofAnswer(text)).map((table) => [table, []]);
  Object.assign(
    without.find(({ answer }) => answer)!,
    { answer: Object.fromEntries(tables) },
  );
  expect(await verified(resigned(without))).toBe('1 not valid: no entry tells the state after entry 0');
  const behind = proofLines(text);
  const [beginning] = behind.splice(1, 1);
  behind.splice(
    behind.findLastIndex(({ entry }) => entry),
    0,
    beginning!,
  );
  expect(await verified(resigned(behind))).toBe('1 not valid: the state that entries go on from stands behind them');
});
