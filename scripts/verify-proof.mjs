#!/usr/bin/env node
/**
 * Verifies the proof of a day without the gateway:
 *
 *   node verify-proof.mjs PROOF.ndjson [--key audit-keys.json] [--checkpoint HASH@POSITION | checkpoint.json]...
 *
 * Follows the chain of entries to a signed checkpoint, applies the entries up to the instant in order, and compares the
 * resulting state with the answer. Without a key file, it uses the key of the proof itself and prints its fingerprint, to
 * be compared with one from another source, such as the mail of a witness. Prints the result and exits with 0; the first
 * violation, with 1; or the reason why nothing was verified, such as a file that is no proof, with 2.
 * docs/audit-trail.md describes the format. Needs Node 20 or newer, no package, and the other scripts of this folder.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { State } from './replay-audit-trail.mjs';
import {
  AuditTrailFault,
  canonical,
  checkpointOf,
  givenIn,
  jsonIn,
  OtherFile,
  readKeys,
  requireCheckpoint,
  requireExport,
  requireOptions,
  verifyAuditTrail,
} from './verify-audit-trail.mjs';

const USAGE =
  'usage: node verify-proof.mjs PROOF.ndjson [--key audit-keys.json] [--checkpoint HASH@POSITION | checkpoint.json]...';

async function main(args) {
  const { values, positionals } = givenIn(args, {
    key: { type: 'string' },
    checkpoint: { type: 'string', multiple: true, default: [] },
  });
  if (positionals.length !== 1) {
    console.error(USAGE);
    return 2;
  }
  try {
    const keys = values.key && readKeys(values.key);
    const checkpoints = values.checkpoint.map(checkpointOf);
    requireExport(positionals[0], 'proof');
    const proven = await verifyProof(positionals[0], { checkpoints, ...(keys && { keys }) });
    const { log, object, asOf, position, checkpoint, keyIds } = proven;
    console.log(
      `valid: ${object ?? 'all'} of ${log} as of ${asOf} is what the entries up to ${position} leave, ` +
        `checkpoint of ${checkpoint.at} at position ${checkpoint.position}`,
    );
    for (const { hash, position: at } of checkpoints) console.log(`agrees with ${hash}@${at}`);
    if (keys === undefined)
      console.log(
        `the key is that of the proof: compare its fingerprint with one from elsewhere: ${keyIds.join(', ')}`,
      );
    return 0;
  } catch (error) {
    if (error instanceof OtherFile) {
      console.log(`nothing was verified: ${error.message}`);
      return 2;
    }
    // Any error that a changed file causes is reported as a violation of it.
    console.log(`not valid: ${error.message}`);
    return 1;
  }
}

/** Verifies a proof; throws AuditTrailFault with the first violation. Without keys, those of the proof count. */
export async function verifyProof(file, options = {}) {
  requireOptions(options, ['keys', 'checkpoints']);
  const { keys: given, checkpoints = [] } = options;
  for (const each of checkpoints) requireCheckpoint(each);
  const lines = rawLines(file);
  const sum = createHash('sha256');
  const next = async () => {
    const { value, done } = await lines.next();
    number += 1;
    return done ? undefined : value;
  };
  let number = 0;
  const first = await next();
  const { proof } = jsonIn(first?.toString(), number);
  if (proof?.format !== 1) throw new AuditTrailFault('the file does not begin as a proof of format 1');
  sum.update(first).update('\n');
  for (const key of proof.keys) requireThumbprint(key);
  const keys = given ?? proof.keys;
  for (const { position } of checkpoints)
    if (position > proof.last)
      throw new AuditTrailFault(
        `the proof ends with entry ${proof.last}, before ${position}: have one as of a later day`,
      );

  const replay = new Replay(proof);
  let [answer, signature] = [undefined, undefined];
  async function* trail() {
    for (let line = await next(); line !== undefined; line = await next()) {
      if (signature !== undefined) throw new AuditTrailFault('there is more after the signature of the proof');
      const text = line.toString();
      const item = jsonIn(text, number);
      if (item.signature !== undefined) {
        signature = { ...item.signature, text };
        continue;
      }
      sum.update(line).update('\n');
      if (item.answer !== undefined && answer !== undefined) throw new AuditTrailFault('the proof has several answers');
      if (item.answer !== undefined) answer = item.answer;
      else if (item.beginning !== undefined) replay.begin(item.beginning);
      else {
        yield text;
        if (item.entry !== undefined) replay.add(item);
        replay.checkpoint = item.checkpoint ?? replay.checkpoint;
      }
    }
  }
  const verified = await verifyAuditTrail(trail(), { keys, checkpoints });
  requireSigned(signature, sum.digest('hex'), keys);
  const log = `organization/${proof.organization}`;
  if (verified.log !== log) throw new AuditTrailFault(`the entries are of ${verified.log}, not ${log}`);
  if (verified.position !== proof.last) throw new AuditTrailFault(`the proof does not end with entry ${proof.last}`);
  replay.requireAnswer(answer);
  const { object, as_of: asOf, position } = proof;
  return { log, object, asOf, position, checkpoint: replay.checkpoint, keyIds: keys.map(({ kid }) => kid) };
}

/** The lines of a file as bytes; each ends with a line feed. */
async function* rawLines(file) {
  let rest = Buffer.alloc(0);
  for await (const bytes of createReadStream(file)) {
    let text = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10)) {
      yield text.subarray(0, end);
      text = text.subarray(end + 1);
    }
    rest = text;
  }
  if (rest.length > 0) throw new AuditTrailFault('the file ends within a line');
}

function requireThumbprint({ crv, kid, kty, x }) {
  if (createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url') !== kid)
    throw new AuditTrailFault(`a key of the proof is not the one of its fingerprint ${kid}`);
}

/** The lines before the signature are verified as they are; the line of the signature has one spelling. */
function requireSigned(signature, sum, keys) {
  if (signature === undefined) throw new AuditTrailFault('the file ends without the signature of the proof');
  const bytes = Buffer.from(String(signature.signature), 'base64url');
  const isBy = (jwk) => verify(null, Buffer.from(`proof ${sum}`), createPublicKey({ key: jwk, format: 'jwk' }), bytes);
  const line = JSON.stringify({ signature: { sha256: sum, signature: bytes.toString('base64url') } });
  if (signature.text !== line || !keys.some(isBy))
    throw new AuditTrailFault('the proof was changed: it is not as it was signed');
}

/** The state after the entries up to the instant. */
class Replay {
  constructor({ as_of: asOf, hash, object, organization, position }) {
    // Otherwise neither would be compared with an entry.
    if (!Number.isSafeInteger(position) || new Date(asOf).toJSON() !== asOf)
      throw new AuditTrailFault('the first line of the proof has no position and instant as the gateway writes them');
    Object.assign(this, { asOf: Date.parse(asOf), hash, object, position });
    this.state = new State(organization);
    /** The last entry that the state covers. */
    this.begins = 0;
    this.isKnown = false;
  }

  /** The state after an entry, if the entries before it do not determine it; one of the entries has its checksum. */
  begin({ position, rows }) {
    if (this.last !== undefined) throw new AuditTrailFault('the state that entries go on from stands behind them');
    this.begins = position;
    this.sha256 = createHash('sha256').update(canonical(rows)).digest('hex');
    this.isKnown = false;
    this.state = new State(this.state.organizationId, rows);
  }

  add({ position, hash, entry }) {
    const { action, at, changes } = entry;
    const isLater = Date.parse(at) > this.asOf;
    if (position === this.position && hash !== this.hash)
      throw new AuditTrailFault(`entry ${position} is not the one that the answer is as of`);
    if (position <= this.position && isLater)
      throw new AuditTrailFault(`entry ${position} is later than the instant of the answer`);
    if (position === this.position + 1 && !isLater)
      throw new AuditTrailFault(`the answer leaves out entry ${position}, which is not later than its instant`);
    // A trail that is recorded completely from its first entry on.
    if (position === 1 && this.begins === 0)
      this.isKnown = action === 'ORGANIZATION_CREATED' && entry.state !== undefined;
    const isRecorded = action === 'STATE_RECORDED' && position === this.begins;
    const isPruned = action === 'AUDIT_TRAIL_PRUNED' && changes.pruned.after.position === this.begins;
    const sum = isRecorded ? changes.sha256 : isPruned ? changes.stateSha256 : undefined;
    if (sum !== undefined && sum.after === this.sha256) this.isKnown = true;
    if (position > this.begins && position <= this.position) this.state.apply(entry, position);
    this.last = position;
  }

  requireAnswer(answer) {
    if (!(this.last >= this.position)) throw new AuditTrailFault(`entry ${this.position} of the answer is missing`);
    if (!this.isKnown) throw new AuditTrailFault(`no entry tells the state after entry ${this.begins}`);
    if (this.begins > this.position)
      throw new AuditTrailFault(`the state after entry ${this.begins} is later than the instant of the answer`);
    // Signed at the instant or later, the newest entry was the last one at the instant.
    if (this.last === this.position && Date.parse(this.checkpoint.at) < this.asOf)
      throw new AuditTrailFault('the checkpoint was signed before the instant of the answer');
    const left = selected(this.state.recorded(), this.object);
    for (const table of new Set([...Object.keys(left), ...Object.keys(answer ?? {})]))
      if (canonical(left[table] ?? null) !== canonical(answer?.[table] ?? null))
        throw new AuditTrailFault(`the answer is not what the entries leave: ${table}`);
  }
}

/** The columns of each table by which an object is found. */
const OBJECTS = {
  ORGANIZATION: { organization: ['id'] },
  MEMBER: { membership: ['userId'] },
  SERVICE_ACCOUNT: { membership: ['userId'] },
  WORKFLOW: {
    ...{ organization_workflow: ['workflowId'], control_state: ['workflowId'], document_version: ['workflowId'] },
    control_attestation: ['workflowId'],
  },
  CONTROL: {
    ...{ control_state: ['workflowId', 'controlId'], document_version: ['workflowId', 'artifactId'] },
    control_attestation: ['workflowId', 'controlId'],
  },
  DOCUMENT_VERSION: { document_version: ['id'] },
  INCIDENT: {
    ...{ incident: ['id'], incident_report: ['incidentId'], incident_note: ['incidentId'] },
    incident_attachment: ['incidentId'],
  },
  INCIDENT_ATTACHMENT: { incident_attachment: ['id'] },
  ENGAGEMENT: {
    ...{ engagement: ['id'], engagement_auditor: ['engagementId'], evidence_request: ['engagementId'] },
    sign_off: ['engagementId'],
  },
  CLOUD_DEFENDER: { cloud_defender: ['id'] },
  THREAT_BLOCKER: { threat_blocker: ['id'] },
};

/** The rows of one object, such as `INCIDENT/7`; all rows without one. */
function selected(rows, object) {
  if (object === null) return rows;
  const [type, ...id] = object.split('/');
  const found = Object.entries(OBJECTS[type] ?? {}).map(([table, columns]) => [
    table,
    rows[table].filter((row) => columns.map((column) => row[column]).join('/') === id.join('/')),
  ]);
  return Object.fromEntries(found);
}

// At the end of the file, after the definitions of the classes.
if (existsSync(process.argv[1] ?? '') && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await main(process.argv.slice(2));
