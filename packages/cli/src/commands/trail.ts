import {
  checkpointOf,
  readKeys,
  requireExport,
  requireKeys,
  sentenceOf,
  verifyAuditTrail,
  verifyEvidencePack,
  type AuditKeys,
} from '@compliance-gateway/client/audit-trail';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UsageError } from '../errors.js';
import { ORGANIZATION, type Command } from '../command.js';
import { type Given } from '../given.js';
import type { Context } from '../context.js';
import { save } from '../files.js';

export const trailVerify: Command = {
  name: 'trail verify',
  summary: 'Verify an audit trail or an evidence pack on this machine',
  usage: '[EXPORT.ndjson]',
  goesOnUnread: true,
  options: {
    keys: { value: 'FILE', help: 'the keys of the gateway, as you have kept them; those of today when absent' },
    checkpoint: {
      value: 'FILE|HASH@POSITION',
      help: 'an earlier checkpoint that the trail has to go on from, or what a witness has',
      isRepeatable: true,
    },
    archive: { value: 'FOLDER', help: 'an unpacked evidence pack, with or without an export' },
    output: { value: 'FILE', help: 'keep the export that is downloaded' },
    ...ORGANIZATION,
  },
  details: `Without EXPORT.ndjson and --archive, the trail of the organization is downloaded and verified while it comes. That is
itself recorded, and takes a SECURITY_OFFICER. Keys that come from the gateway prove that the trail is whole and was
signed with them; that they are the ones of always is proven only by --keys and --checkpoint with files that you have kept.`,
  async run(context, given) {
    const [file, ...more] = given.positionals;
    if (more.length > 0) throw new UsageError('It takes one export');
    const [archive, output] = [given.text('archive'), given.text('output')];
    for (const option of ['output', 'organization'])
      if (given.text(option) !== undefined && (file !== undefined || archive !== undefined))
        throw new UsageError(`--${option} is for an export that is downloaded`);
    if (given.text('url') !== undefined && given.text('keys') !== undefined && (file ?? archive) !== undefined)
      throw new UsageError('--url is for an export or keys that are downloaded');
    const checkpoints = given.texts('checkpoint').map(checkpointOf);
    if (checkpoints.length > 0 && archive !== undefined && file === undefined)
      throw new UsageError('--checkpoint is for an export: an archive has some of the entries alone');
    const keys = await keysOf(context, given);
    if (file !== undefined) requireExport(file, 'exported audit trail');
    if (archive !== undefined) {
      const pack = await verifyEvidencePack(archive, { keys });
      context.output.result(pack, sentenceOf(pack));
      if (file === undefined) return;
    }
    const part = archive === undefined ? {} : { part: join(archive, 'audit-trail.ndjson') };
    const source = file ?? (await download(context, output));
    // Nothing is read after the first violation: a running download would delay the end of the command.
    const verified = await verifyAuditTrail(source, { keys, checkpoints, ...part }).finally(
      () => typeof source !== 'string' && source.destroy(),
    );
    context.output.result(verified, sentenceOf(verified));
  },
};

async function keysOf(context: Context, given: Given): Promise<AuditKeys['keys']> {
  const file = given.text('keys');
  if (file !== undefined) return readKeys(file);
  const answer = await (await context.client()).send('/.well-known/audit-keys.json');
  const { keys } = (await answer.json()) as AuditKeys;
  requireKeys(keys);
  context.output.note('The keys are those that the gateway shows today: keep them for --keys');
  return keys;
}

/** The export as a stream, or the path of `output`, in which it is stored. */
async function download(context: Context, output: string | undefined): Promise<string | Readable> {
  const organization = await context.organization();
  const client = await context.client();
  const request = () => client.send(`/api/v1/organizations/${organization}/audit-trail.ndjson`);
  if (output === undefined) return Readable.fromWeb((await request()).body!);
  await save(output, request, () => undefined);
  return output;
}
