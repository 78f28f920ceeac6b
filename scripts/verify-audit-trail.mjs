#!/usr/bin/env node
/**
 * Verifies an exported audit trail without the gateway:
 *
 *   node verify-audit-trail.mjs EXPORT.ndjson --key audit-keys.json [--checkpoint earlier.json | HASH@POSITION]... [--part pack.ndjson]
 *   node verify-audit-trail.mjs [EXPORT.ndjson] --key audit-keys.json --archive FOLDER
 *
 * A checkpoint is a file, a line of a mail with it, or hash and position of an entry, HASH@POSITION.
 * A part, such as that of an evidence pack, has some of the entries: the export must have each of them unchanged.
 * An archive is an unpacked evidence pack: its manifest must be signed, and each of its files must match the manifest;
 * with an export, its entries are a part.
 * Prints the range of verified entries and exits with 0. Otherwise prints the first violation of an export, or all
 * violations of an archive, and exits with 1. Exits with 2 if nothing was verified, because a file is unreadable or
 * has another format.
 * docs/audit-trail.md describes the format. Needs Node 20 or newer, and no package.
 *
 * `@compliance-gateway/client/audit-trail` is this file, with its functions.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** A violation of what was recorded or signed; of an archive, a line for each file. */
export class AuditTrailFault extends Error {
  name = 'AuditTrailFault';
}

/** A file that cannot be verified: it is unreadable, or no export at all. */
export class OtherFile extends Error {
  name = 'OtherFile';
}

const [MANIFEST, SIGNATURE, SUMS, TRAIL] = [
  'manifest.json',
  'manifest.json.sig',
  'manifest.sha256',
  'audit-trail.ndjson',
];

/** The fields of a line of an export, by names. */
const ENTRY = 'entry,hash,position';
const SIGNED = ['checkpoint', 'earlier_checkpoint', 'pruned'];

/** A string of JSON, and the colon behind the name of a member. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

const USAGE =
  'usage: node verify-audit-trail.mjs EXPORT.ndjson --key audit-keys.json [--checkpoint earlier.json | HASH@POSITION]... [--part pack.ndjson | --archive FOLDER]\n' +
  '       node verify-audit-trail.mjs --key audit-keys.json --archive FOLDER';

if (existsSync(process.argv[1] ?? '') && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const { values, positionals } = givenIn(args, {
    key: { type: 'string' },
    checkpoint: { type: 'string', multiple: true, default: [] },
    part: { type: 'string' },
    archive: { type: 'string' },
  });
  // An archive has only the entries of the part: other options would be compared with nothing.
  const isCompared =
    positionals.length === 1 ? !(values.archive && values.part) : values.checkpoint.length === 0 && !values.part;
  if (
    positionals.length > 1 ||
    (positionals.length === 0 && !values.archive) ||
    !isCompared ||
    values.key === undefined
  ) {
    console.error(USAGE);
    return 2;
  }
  try {
    const keys = readKeys(values.key);
    const checkpoints = values.checkpoint.map(checkpointOf);
    for (const file of [...positionals, values.part ?? []].flat()) requireExport(file, 'exported audit trail');
    if (values.archive !== undefined) {
      console.log(sentenceOf(await verifyEvidencePack(values.archive, { keys })));
      values.part = join(values.archive, TRAIL);
    }
    if (positionals.length === 1) {
      const verified = await verifyAuditTrail(positionals[0], {
        keys,
        checkpoints,
        ...(values.part && { part: values.part }),
      });
      console.log(sentenceOf(verified));
      for (const { hash, position } of checkpoints) console.log(`agrees with ${hash}@${position}`);
    }
    return 0;
  } catch (error) {
    if (error instanceof OtherFile) {
      console.log(`nothing was verified: ${error.message}`);
      return 2;
    }
    if (!(error instanceof AuditTrailFault || error.code === 'ENOENT' || error instanceof SyntaxError)) throw error;
    for (const line of error.message.split('\n')) console.log(`not valid: ${line}`);
    return 1;
  }
}

/** A checkpoint of the command line: a file or a line of a mail in the form of either API, or `HASH@POSITION`. */
export function checkpointOf(said) {
  const [, hash, position] = /^([0-9a-f]{64})@([1-9]\d*)$/.exec(said) ?? [];
  if (hash !== undefined) return { hash, position: Number(position) };
  const checkpoint = within(said.startsWith('{') ? lineOf(said) : readJson(said, 'checkpoint'));
  requireCheckpoint(checkpoint, said);
  return checkpoint;
}

function lineOf(said) {
  try {
    return JSON.parse(said);
  } catch {
    throw new OtherFile(`${said} is no checkpoint: it is no JSON`);
  }
}

/** Throws OtherFile for anything but a checkpoint, so that it is not taken for an invalid one. */
export function requireCheckpoint(json, name = 'what was given') {
  const { hash, position } = within(json) ?? {};
  if (typeof hash !== 'string' || !Number.isSafeInteger(position))
    throw new OtherFile(`${name} is no checkpoint: it has no hash and position`);
}

/** Arguments and options; without both if an option is unknown, has no value, or is repeated but takes one value. */
export function givenIn(args, options) {
  const nothing = { values: { checkpoint: [] }, positionals: [] };
  try {
    const { tokens, ...given } = parseArgs({ args, options, allowPositionals: true, tokens: true });
    const once = tokens.flatMap(({ kind, name }) => (kind === 'option' && !options[name].multiple ? [name] : []));
    return new Set(once).size < once.length ? nothing : given;
  } catch {
    return nothing;
  }
}

/** The checkpoint in a response of either API. */
function within(json) {
  return json?.data?.createAuditCheckpoint?.checkpoint ?? json?.data ?? json?.checkpoint ?? json;
}

/** Hash and position of an entry, in the form for people. */
function isFact(checkpoint) {
  return Object.keys(checkpoint).toSorted().join() === 'hash,position';
}

/** The result of the verification, in words. */
export function sentenceOf(verified) {
  if (verified.files !== undefined)
    return (
      `valid archive of ${verified.workflow} of organization ${verified.organization}: ${verified.files} files, ` +
      `checkpoint of ${verified.at} at position ${verified.position}`
    );
  const { removed, position, at, part } = verified;
  const from =
    removed === 0 ? '' : ` from position ${removed + 1}, before which entries were removed after their retention,`;
  const found =
    part === undefined
      ? ''
      : `the export has ${part.found} of the ${part.entries} entries of the part` +
        (part.found === part.entries ? '\n' : '; the others were removed after their retention\n');
  return `${found}valid${from} up to position ${position}, checkpoint of ${at}`;
}

/**
 * Verifies an export (file, bytes or lines) with the keys of a key file; throws AuditTrailFault with the first
 * violation. Checkpoints are earlier ones in the form of either API, or hash and position of an entry; a part is the
 * file with some of the entries.
 */
export async function verifyAuditTrail(source, options) {
  const { keys, checkpoints = [], part } = options;
  requireOptions(options, ['keys', 'checkpoints', 'part']);
  requireKeys(keys);
  for (const each of checkpoints) requireCheckpoint(each);
  const earlier = checkpoints.map((each) => (isFact(each) ? each : signedCheckpoint(each, keys)));
  const entries = part === undefined ? new Map() : await readPart(part, keys, earlier);
  const { removed, last, absent } = await verifyExport(linesOf(source), keys, earlier, entries);
  return {
    ...{ log: last.log, removed, position: last.position, at: last.at },
    ...(part !== undefined && { part: { entries: entries.size, found: entries.size - absent } }),
  };
}

/** Throws TypeError for an option that is unknown or has no value: nothing would be compared with it. */
export function requireOptions(options, known) {
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw new TypeError(`There is no option ${name}`);
    if (value == null) throw new TypeError(`The option ${name} is ${value}: without one, leave it out`);
  }
}

/** Throws OtherFile for anything but a list of keys, so that no file is taken for a changed one. */
export function requireKeys(keys) {
  if (!Array.isArray(keys)) throw new OtherFile('the key file has no keys');
}

/**
 * The lines of a file, of a stream of its bytes, or of an array. Texts may contain U+2028, which ends a line for
 * `node:readline`.
 */
async function* linesOf(source) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  for await (const piece of typeof source === 'string' ? createReadStream(source) : source) {
    if (typeof piece === 'string') {
      yield piece;
      continue;
    }
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/**
 * Verifies an unpacked evidence pack; throws AuditTrailFault with a line for each file that differs from the signed
 * manifest.
 */
export async function verifyEvidencePack(folder, options) {
  const { keys } = options;
  requireOptions(options, ['keys']);
  requireKeys(keys);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new OtherFile(`${folder} is no folder`);
  if (!existsSync(join(folder, MANIFEST))) throw new OtherFile(`${folder} is no evidence pack: it has no ${MANIFEST}`);
  if (!existsSync(join(folder, SIGNATURE))) throw new AuditTrailFault(`${SIGNATURE} is missing`);
  const text = readFileSync(join(folder, MANIFEST));
  const signature = readFileSync(join(folder, SIGNATURE));
  const isSigned = keys.some((jwk) => verify(null, text, createPublicKey({ key: jwk, format: 'jwk' }), signature));
  if (!isSigned)
    throw new AuditTrailFault(`${MANIFEST} was changed, or ${SIGNATURE}: it is not signed with a key of the key file`);
  const { checkpoint, files, organization, workflow } = JSON.parse(text);
  const violations = [];
  for (const file of files) violations.push(...(await fileViolations(folder, file)));
  const listed = [
    ...files,
    ...[MANIFEST, SIGNATURE].map((path) => ({ path, sha256: sha256('', readFileSync(join(folder, path))) })),
  ];
  const inOrder = (text) => text.split('\n').toSorted().join('\n');
  const sums = inOrder(listed.map((file) => `${file.sha256}  ${file.path}\n`).join(''));
  if (!existsSync(join(folder, SUMS))) violations.push(`${SUMS} is missing`);
  else if (inOrder(readFileSync(join(folder, SUMS), 'utf8')) !== sums) violations.push(`${SUMS} was changed`);
  const known = new Set([...listed.map(({ path }) => path), SUMS]);
  for (const path of pathsIn(folder)) if (!known.has(path)) violations.push(`${path} is no file of the archive`);
  if (violations.length > 0) throw new AuditTrailFault(violations.join('\n'));
  const signed = [];
  await readPart(join(folder, TRAIL), keys, signed);
  if (signed.at(-1).hash !== checkpoint.hash || signed.at(-1).position !== checkpoint.position)
    throw new AuditTrailFault(`the checkpoint of ${TRAIL} is not the one of ${MANIFEST}`);
  const { at, position } = checkpoint;
  return { workflow: workflow.id, organization: organization.id, files: files.length, position, at };
}

async function fileViolations(folder, { path, size, sha256: expected }) {
  const file = join(folder, path);
  if (!existsSync(file)) return [`${path} is missing`];
  if (statSync(file).size !== size) return [`${path} was changed: it has ${statSync(file).size} bytes, not ${size}`];
  const sum = createHash('sha256');
  for await (const bytes of createReadStream(file)) sum.update(bytes);
  return sum.digest('hex') === expected ? [] : [`${path} was changed`];
}

function pathsIn(folder) {
  const found = readdirSync(folder, { recursive: true }).filter((path) => !statSync(join(folder, path)).isDirectory());
  return found.map((path) => path.replaceAll(sep, '/'));
}

/** The hash of each entry of a part with its text, by position; its checkpoint is added to the earlier ones. */
async function readPart(file, keys, earlier) {
  const part = new Map();
  let isWhole = false;
  let number = 0;
  for await (const line of linesOf(file)) {
    const item = itemOf(line, (number += 1));
    isWhole = item.checkpoint !== undefined;
    if (isWhole) earlier.push(signedCheckpoint(item.checkpoint, keys));
    else if (part.has(item.position)) throw new AuditTrailFault(`the part has entry ${item.position} more than once`);
    else part.set(item.position, sha256(item.hash, canonical(item.entry)));
  }
  if (!isWhole) throw new AuditTrailFault('the part ends without its checkpoint');
  return part;
}

async function verifyExport(lines, keys, earlier, part) {
  const missing = new Set(part.keys());
  let [position, hash, last, pruned] = [0, undefined, undefined, undefined];
  let first;
  const own = [];
  let number = 0;
  for await (const line of lines) {
    if (last !== undefined) throw new AuditTrailFault('there is more after the checkpoint of the export');
    const item = itemOf(line, (number += 1));
    if (item.pruned !== undefined && position === 0) {
      pruned = signedCheckpoint(item.pruned, keys);
      ({ position, hash } = pruned);
      continue;
    }
    if (item.earlier_checkpoint !== undefined) {
      const checkpoint = signedCheckpoint(item.earlier_checkpoint, keys);
      own.push(checkpoint);
      requireSame(checkpoint, position, hash);
      if (checkpoint.position > position) throw new AuditTrailFault(`entry ${position + 1} is missing`);
      if (checkpoint.position < position && checkpoint.position > (pruned?.position ?? 0))
        throw new AuditTrailFault(`the checkpoint of entry ${checkpoint.position} does not follow it`);
      continue;
    }
    if (item.checkpoint !== undefined) {
      last = signedCheckpoint(item.checkpoint, keys);
      own.push(last);
      continue;
    }
    if (item.position !== position + 1) throw new AuditTrailFault(`entry ${position + 1} is missing`);
    const text = canonical(item.entry);
    // The start of the chain is known when the export's own checkpoint names the trail.
    first ??= { text, hash: item.hash };
    if (position > 0 && sha256(hash, text) !== item.hash)
      throw new AuditTrailFault(`entry ${item.position} was changed`);
    position = item.position;
    hash = item.hash;
    for (const checkpoint of earlier) requireSame(checkpoint, position, hash);
    if (missing.delete(position) && part.get(position) !== sha256(hash, text))
      throw new AuditTrailFault(`entry ${position} of the part is not the one of the export`);
  }
  if (last === undefined) throw new AuditTrailFault(`the export ends after entry ${position}, without its checkpoint`);
  if (pruned !== undefined && pruned.log !== `${last.log}/pruned`)
    throw new AuditTrailFault(`what was removed is said of ${pruned.log}, not of ${last.log}`);
  const beginning = sha256(Buffer.alloc(0), last.log);
  if (first !== undefined && pruned === undefined && sha256(beginning, first.text) !== first.hash)
    throw new AuditTrailFault('entry 1 was changed');
  if (position < last.position) throw new AuditTrailFault(`entry ${position + 1} is missing`);
  requireSame(last, position, hash ?? beginning);
  verifyCheckpoints(own, last.log);
  for (const checkpoint of earlier) {
    if (isFact(checkpoint)) requireKnown(checkpoint, position, [pruned, ...own]);
    else if (checkpoint.log !== last.log)
      throw new AuditTrailFault(`the earlier checkpoint is of ${checkpoint.log}, not ${last.log}`);
    if (checkpoint.position > position)
      throw new AuditTrailFault(`entry ${position + 1} is missing: it was there earlier`);
    if (typeof checkpoint.previous === 'string' && own[checkpoint.number - 1]?.signature !== checkpoint.signature)
      throw new AuditTrailFault(`checkpoint ${checkpoint.number} of ${checkpoint.at} is not among those of the export`);
  }
  const removed = pruned?.position ?? 0;
  for (const lost of missing)
    if (lost > removed) throw new AuditTrailFault(`the export has no entry ${lost}, which the part has`);
  return { removed, last, absent: missing.size };
}

/** Each checkpoint has the chained hash of those before it. An export from before this chain has only its last one. */
function verifyCheckpoints(checkpoints, log) {
  if (checkpoints.length === 1 && typeof checkpoints[0].previous !== 'string') return;
  let digest = sha256(Buffer.alloc(0), log);
  for (const [index, checkpoint] of checkpoints.entries()) {
    const { position, previous } = checkpoint;
    const number = typeof previous === 'string' ? checkpoint.number : index + 1;
    if (checkpoint.log !== log)
      throw new AuditTrailFault(`the checkpoint of entry ${position} is of ${checkpoint.log}, not ${log}`);
    if (number !== index + 1)
      throw new AuditTrailFault(`checkpoint ${index + 1} is missing, before the one of entry ${position}`);
    if ((previous ?? digest) !== digest)
      throw new AuditTrailFault(`checkpoint ${number}, of entry ${position}, follows others than those of the export`);
    digest = sha256(digest, chainedText(checkpoint));
  }
}

/** An entry that was removed after its retention is verified by its signed hash. */
function requireKnown(fact, last, [pruned, ...own]) {
  if (fact.position > (pruned?.position ?? 0) || fact.position > last) return;
  const signed = [pruned, ...own].find(({ position }) => position === fact.position);
  if (signed === undefined)
    throw new AuditTrailFault(`entry ${fact.position} was removed after its retention, and nothing says what it was`);
  requireSame(fact, signed.position, signed.hash);
}

function requireSame(checkpoint, position, hash) {
  if (checkpoint.position !== position || checkpoint.hash === hash) return;
  const other = isFact(checkpoint) ? `of ${checkpoint.hash}` : `that the checkpoint of ${checkpoint.at} was signed for`;
  throw new AuditTrailFault(`entry ${position} is not the one ${other}`);
}

/** A checkpoint in the form of the export or of either API; throws unless one of the keys has signed it. */
function signedCheckpoint(json, keys) {
  const checkpoint = within(json);
  const { at, hash, log, position, signature } = checkpoint;
  const id = checkpoint.key_id ?? checkpoint.keyId;
  const jwk = keys.find(({ kid }) => kid === id);
  const isBy = (text, given) =>
    jwk !== undefined &&
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: jwk, format: 'jwk' }),
      Buffer.from(String(given), 'base64url'),
    );
  const isChained = typeof checkpoint.previous === 'string';
  const chainSignature = checkpoint.chain_signature ?? checkpoint.chainSignature;
  if (
    !isBy(canonical({ at, hash, log, position }), signature) ||
    (isChained && !isBy(chainedText(checkpoint), chainSignature))
  )
    throw new AuditTrailFault(`the checkpoint of position ${position} is not signed with a key of the key file`);
  return checkpoint;
}

/** The chained fields of a checkpoint; of one that is not chained, neither its number nor its predecessors. */
function chainedText({ at, hash, log, number, position, previous }) {
  const chained = typeof previous === 'string' ? { number, previous } : {};
  return canonical({ at, hash, log, position, ...chained });
}

/** Canonical JSON (RFC 8785) of a parsed value. */
export function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** SHA-256 of the previous hash, in hexadecimal or as bytes, and a text. */
function sha256(before, text) {
  return createHash('sha256').update(before, 'hex').update(text).digest('hex');
}

/** A line of an export has either an entry or a checkpoint: nothing would be compared with other members. */
function itemOf(line, number) {
  const item = jsonIn(line, number);
  const names = Object.keys(item).toSorted().join();
  const { position, hash, entry } = item;
  const isEntry = names === ENTRY && Number.isInteger(position) && typeof hash === 'string' && isObject(entry);
  if (isEntry || (SIGNED.includes(names) && isObject(item[names]))) return item;
  throw new AuditTrailFault(`line ${number} is neither an entry nor a checkpoint`);
}

/** Parses the object of a line; throws AuditTrailFault if there is none. */
export function jsonIn(line, number) {
  try {
    const item = JSON.parse(line);
    // Of members with one name, JSON.parse returns the last, and other parsers the first.
    if (isObject(item) && namesIn(line) === membersOf(item)) return item;
  } catch {
    // Handled below, as any other value.
  }
  throw new AuditTrailFault(`line ${number} was changed, or the file was cut off in it`);
}

/** Number of members in a JSON text. */
function namesIn(text) {
  let names = 0;
  for (const [, isName] of text.matchAll(STRING)) if (isName) names += 1;
  return names;
}

/** Number of members of a value, including nested ones. */
function membersOf(value) {
  if (!isObject(value)) return 0;
  const parts = Object.values(value);
  return parts.reduce((sum, part) => sum + membersOf(part), Array.isArray(value) ? 0 : parts.length);
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Throws OtherFile for anything but an export, by its first bytes. */
export function requireExport(file, noun) {
  const head = headOf(file);
  const text = head.toString('utf8').trimStart();
  const other = (what) => new OtherFile(`${file} is no ${noun}: ${what}`);
  if (text === '') throw other('it is empty');
  if (head[0] === 0x1f && head[1] === 0x8b) throw other('it is compressed with gzip, unpack it first');
  if (text.startsWith('PK')) throw other('it is a ZIP archive, such as a workbook or a packed evidence pack');
  if (text.startsWith('<')) throw other('it is a page (HTML or XML)');
  if (!text.startsWith('{')) throw other(`it begins with ${JSON.stringify(text.slice(0, 20))}`);
  if (/^\{\s*"(error|errors|data)"\s*:/.test(text)) throw other('it is an answer of the API, such as a refusal');
}

function headOf(file) {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(256);
      return head.subarray(0, readSync(descriptor, head));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file, { code, message }) {
  const why = { ENOENT: 'it does not exist', EISDIR: 'it is a folder', EACCES: 'it may not be read' }[code] ?? message;
  return new OtherFile(`${file} cannot be read: ${why}`);
}

/** The keys of a key file; throws OtherFile if it has none. */
export function readKeys(file) {
  const { keys } = readJson(file, 'key file');
  if (!Array.isArray(keys)) throw new OtherFile(`${file} is no key file: it has no keys`);
  return keys;
}

function readJson(file, noun) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    const json = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // Handled below, as any other value.
  }
  throw new OtherFile(`${file} is no ${noun}: it is no JSON object`);
}
