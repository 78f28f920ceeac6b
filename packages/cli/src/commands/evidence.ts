import {
  dataOf,
  GatewayError,
  itemsOf,
  type components,
  type GatewayClient,
  type ItemOf,
} from '@compliance-gateway/client';
import { readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, dirname, extname } from 'node:path';
import { CommandError, UsageError } from '../errors.js';
import { ORGANIZATION, type Command } from '../command.js';
import { nameIn, type Given } from '../given.js';
import { filesOf, sha256Of } from '../files.js';
import { isDay, timeIn } from './work.js';

const DOCUMENTS = '/api/v1/v-ciso/organizations/{organizationid}/documents';
const CONTROL = '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}';

type Facts = Partial<
  Pick<components['schemas']['UpdateDocumentVersionInput'], 'effective_at' | 'valid_until' | 'note'>
>;

/** A document before or after its upload, as far as it is known. */
type Document = Pick<ItemOf<typeof DOCUMENTS>, 'id' | 'original_name'> & Facts;

interface File {
  path: string;
  control: string;
  sha256: string;
}

interface Result extends File {
  status: 'uploaded' | 'present' | 'updated' | 'would-upload' | 'would-update' | 'failed';
  document_id?: number;
  /** The name of the document, if it differs from that of the file. */
  original_name?: string;
  error?: string;
}

export const evidencePush: Command = {
  name: 'evidence push',
  summary: 'Upload files as evidence of controls, those that are not there yet',
  usage: 'FILE... --workflow WORKFLOW --control CONTROL',
  goesOnUnread: true,
  options: {
    workflow: { value: 'WORKFLOW', help: 'the workflow, such as iso-27001-2022' },
    control: { value: 'CONTROL', help: 'the control of all files, such as A.8.13' },
    'by-folder': { help: 'instead: the folder that a file is in has the name of its control' },
    'valid-until': { value: 'DAY', help: 'the last day on which they show that the control is met' },
    'effective-at': { value: 'TIME', help: 'when they were true; the upload when absent' },
    note: { value: 'TEXT', help: 'what a reader should know of them' },
    'dry-run': { help: 'say what would be done, and change nothing' },
    ...ORGANIZATION,
  },
  details: `FILE is a name or a pattern such as 'evidence/**'. Files are compared with the documents of their control by their
content (SHA-256): what is there already is not sent again, so that a push that was interrupted is run again as it was.
A file that is refused fails alone (exit code 1), the others are sent. The token needs the scopes READ and WRITE.

  compliance evidence push 'evidence/**' --by-folder --workflow iso-27001-2022 --json`,
  async run(context, given) {
    const files = await filesIn(given);
    const facts = factsIn(given);
    const organizationid = await context.organization();
    const client = await context.client();
    const push = new Push(client, organizationid, given.required('workflow'), facts, given.has('dry-run'));
    await push.prepare(files);
    const results: Result[] = [];
    try {
      for (const [at, file] of files.entries()) {
        const result = await push.send(file);
        results.push(result);
        context.output.result(result, `[${at + 1}/${files.length}] ${words(result)}`);
      }
    } finally {
      context.output.note(summary(results, files.length));
    }
    if (results.some(({ status }) => status === 'failed')) throw new CommandError('Some files were refused: see above');
  },
};

async function filesIn(given: Given): Promise<File[]> {
  if (given.positionals.length === 0) throw new UsageError('Say which files to push');
  const control = given.text('control');
  if ((control === undefined) !== given.has('by-folder'))
    throw new UsageError('Say either --control CONTROL or --by-folder');
  nameIn(given.required('workflow'), '--workflow');
  const files: File[] = [];
  for (const path of await filesOf(given.positionals)) {
    const name = control ?? basename(dirname(path));
    if (/^\.{0,2}$/.test(name)) throw new UsageError(`${path} is in no folder with the name of a control`);
    files.push({ path, control: name, sha256: await sha256Of(path) });
  }
  return files;
}

function factsIn(given: Given): Facts {
  const [validUntil, effectiveAt, note] = ['valid-until', 'effective-at', 'note'].map((name) => given.text(name));
  if (validUntil !== undefined && !isDay(validUntil))
    throw new UsageError(`--valid-until is a day such as 2027-11-30, not "${validUntil}"`);
  return {
    ...(validUntil !== undefined && { valid_until: validUntil }),
    ...(effectiveAt !== undefined && { effective_at: timeIn(effectiveAt, '--effective-at') }),
    // Normalized as the gateway stores it, so that later runs find it.
    ...(note !== undefined && { note: note.normalize() || null }),
  };
}

/** All uploads of one call of the command. */
class Push {
  /** Documents by control and SHA-256. */
  private readonly known = new Map<string, Map<string, Document>>();
  private readonly mediaTypes = new Map<string, string>();
  private largest = Infinity;

  constructor(
    private readonly client: GatewayClient,
    private readonly organizationid: number,
    private readonly workflowid: string,
    private readonly facts: Facts,
    private readonly isDryRun: boolean,
  ) {}

  /**
   * Reads existing documents. Throws, before anything is sent, if a control does not exist or cannot retain all of its
   * files.
   */
  async prepare(files: readonly File[]): Promise<void> {
    const { limits, file_types } = await dataOf(this.client.GET('/api/v1/options'));
    const limit = (name: string) => {
      const found = limits.find((one) => one.name === name);
      if (found === undefined)
        throw new CommandError(`The gateway names no limit ${name}: use the command line of its version`);
      return found.value;
    };
    this.largest = limit('document.max_bytes');
    for (const { extensions, media_types } of file_types)
      for (const extension of extensions) this.mediaTypes.set(extension, media_types[0] ?? '');
    const maximum = limit('document.versions_kept');
    for (const control of new Set(files.map((file) => file.control))) {
      const contents = new Set(files.filter((file) => file.control === control).map(({ sha256 }) => sha256));
      if (contents.size > maximum)
        throw new UsageError(
          `A control keeps its ${maximum} newest documents, and ${contents.size} are for ${control}: pack them into one archive`,
        );
      const documents = await this.readControl(control);
      // The gateway deletes the oldest ones.
      const isFresh = (sha256: string) => !documents.has(sha256);
      const going = documents.size + [...contents].filter(isFresh).length - maximum;
      const oldest = [...documents].toSorted(([, one], [, other]) => one.id - other.id).slice(0, Math.max(0, going));
      if (oldest.some(([sha256]) => contents.has(sha256)))
        throw new UsageError(
          `A control keeps its ${maximum} newest documents: what is new for ${control} would push out older ones of the same files. Push fewer, or pack them into one archive`,
        );
    }
  }

  async send(file: File): Promise<Result> {
    const documents = this.known.get(file.control)!;
    const document = documents.get(file.sha256);
    if (this.isDryRun) {
      const change = document === undefined ? 'would-upload' : this.differs(document) ? 'would-update' : 'present';
      return { ...file, status: change, ...(document && namesOf(file, document)) };
    }
    try {
      const stored = document ?? (await this.upload(file));
      const isUpdated = this.differs(stored);
      if (isUpdated) await this.update(stored.id);
      documents.set(file.sha256, { ...stored, ...this.facts });
      const status = document === undefined ? 'uploaded' : isUpdated ? 'updated' : 'present';
      return { ...file, status, ...namesOf(file, stored) };
    } catch (error) {
      if (error instanceof GatewayError && [400, 413, 415].includes(error.status))
        return { ...file, status: 'failed', error: error.messages.join(' ') || error.message };
      if (error instanceof CommandError || isOfDisk(error)) return { ...file, status: 'failed', error: error.message };
      throw error;
    }
  }

  private async readControl(controlid: string): Promise<ReadonlyMap<string, Document>> {
    const { client, organizationid, workflowid } = this;
    await dataOf(client.GET(CONTROL, { params: { path: { organizationid, workflowid, controlid } } })).catch(
      (error) => {
        if (!(error instanceof GatewayError && error.status === 404)) throw error;
        throw new CommandError(`The organization has no control ${controlid} in ${workflowid}: nothing was sent`, 3);
      },
    );
    const query = { workflow_id: workflowid, artifact_id: controlid };
    const documents = new Map<string, Document>();
    for await (const document of itemsOf(client, DOCUMENTS, { path: { organizationid }, query }))
      documents.set(document.sha256, document);
    this.known.set(controlid, documents);
    return documents;
  }

  private async upload({ path, control, sha256 }: File): Promise<Document> {
    const { size } = await stat(path);
    if (size > this.largest) throw new CommandError(`It has ${size} bytes, and ${this.largest} are allowed`);
    const bytes = await readFile(path);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new CommandError('It was changed meanwhile');
    const type = this.mediaTypes.get(extname(path).slice(1).toLowerCase()) ?? '';
    const form = new FormData();
    form.append('file', new Blob([bytes], { type }), basename(path));
    const names = [this.workflowid, control].map(encodeURIComponent);
    const address = `/api/v1/v-ciso/organizations/${this.organizationid}/workflows/${names[0]}/documents/${names[1]}/versions`;
    const response = await this.client.send(address, { method: 'POST', body: form });
    return ((await response.json()) as { data: Document }).data;
  }

  /** Facts are set after the upload: the next run of an interrupted push sets those that are missing. */
  private async update(id: number): Promise<void> {
    const params = { path: { organizationid: this.organizationid, id } };
    await dataOf(this.client.PATCH(`${DOCUMENTS}/{id}`, { params, body: this.facts }));
  }

  private differs(document: Document): boolean {
    return Object.entries(this.facts).some(([name, value]) => (document[name as keyof Facts] ?? null) !== value);
  }
}

/** The file itself is unreadable; a network failure has no code of its own. */
function isOfDisk(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/** Invisible characters and path separators are removed from the name of a document. */
function namesOf({ path }: File, { id, original_name }: Document): Pick<Result, 'document_id' | 'original_name'> {
  return { document_id: id, ...(original_name !== basename(path).normalize() && { original_name }) };
}

function words({ path, control, status, document_id, original_name, error }: Result): string {
  const name = original_name === undefined ? '' : ` as ${original_name}`;
  const document = document_id === undefined ? '' : ` (document ${document_id})`;
  const line = `${path}: ${error === undefined ? `${status}${name}, ${control}${document}` : `failed: ${error}`}`;
  return line.replaceAll('\n', ' ');
}

function summary(results: readonly Result[], all: number): string {
  const counts = new Map<string, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  const open = all - results.length;
  return [...parts, ...(open > 0 ? [`${open} not tried: run the same command again`] : [])].join(', ');
}
