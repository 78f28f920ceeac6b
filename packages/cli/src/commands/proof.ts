import {
  AuditTrailFault,
  checkpointOf,
  OtherFile,
  readKeys,
  requireExport,
} from '@compliance-gateway/client/audit-trail';
import { verifyProof, type Proven } from '@compliance-gateway/client/proof';
import { ORGANIZATION, type Command } from '../command.js';
import { save } from '../files.js';

export const proofSave: Command = {
  name: 'proof save',
  summary: 'Save the state at an instant, with the entries that prove it',
  usage: 'FILE',
  options: {
    'as-of': { value: 'INSTANT', help: 'such as 2026-06-30T22:00:00Z, or a day, which is its end in UTC' },
    object: { value: 'TYPE/ID', help: 'one object alone, such as INCIDENT/12 or CONTROL/iso-27001-2022/A.5.1' },
    ...ORGANIZATION,
  },
  details: `The file is verified before it is kept, and by "compliance proof verify" later: without the gateway, by anyone who has it. Saving
one is recorded, and takes a SECURITY_OFFICER.`,
  async run(context, given) {
    const [file] = given.arguments('FILE');
    const asOf = given.required('as-of');
    const query = new URLSearchParams({ as_of: /^\d{4}-\d\d-\d\d$/.test(asOf) ? `${asOf}T23:59:59.999Z` : asOf });
    const object = given.text('object');
    if (object !== undefined) query.set('object', object);
    const path = `/api/v1/organizations/${await context.organization()}/proof?${query}`;
    const client = await context.client();
    const proven = await save(
      file,
      () => client.send(path),
      (scratch) => verified(scratch),
    );
    context.output.result(proven, sentenceOf(proven));
  },
};

export const proofVerify: Command = {
  name: 'proof verify',
  summary: 'Verify such a file on this machine, without the gateway',
  isLocal: true,
  usage: 'FILE',
  options: {
    keys: { value: 'FILE', help: 'the keys of the gateway, as you have kept them; those of the file when absent' },
    checkpoint: {
      value: 'HASH@POSITION|FILE',
      help: 'what a witness has, which the file has to agree with',
      isRepeatable: true,
    },
  },
  async run({ output }, given) {
    const [file] = given.arguments('FILE');
    const keys = given.text('keys');
    const checkpoints = given.texts('checkpoint').map(checkpointOf);
    const options = { ...(keys !== undefined && { keys: readKeys(keys) }), checkpoints };
    requireExport(file, 'proof');
    const proven = await verified(file, options);
    if (keys === undefined)
      output.note(
        `The key is that of the file: compare ${proven.keyIds.join(', ')} with one that you have from elsewhere`,
      );
    output.result(proven, sentenceOf(proven));
  },
};

/** Any error that a changed file causes is reported as a violation of it. */
async function verified(file: string, options?: Parameters<typeof verifyProof>[1]): Promise<Proven> {
  return verifyProof(file, options).catch((error: unknown) => {
    const isNamed = error instanceof AuditTrailFault || error instanceof OtherFile;
    if (isNamed || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    throw new AuditTrailFault((error as Error).message);
  });
}

function sentenceOf({ log, object, asOf, position, checkpoint }: Proven): string {
  return (
    `valid: ${object ?? 'all'} of ${log} as of ${asOf} is what the entries up to ${position} leave, ` +
    `checkpoint of ${checkpoint.at} at position ${checkpoint.position}`
  );
}
