import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import { userOf, type Actor, type Caller, type Origin } from '../../auth/caller.js';
import { dayOf } from '../../common/local-time.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database } from '../../database/database.js';
import type { RecordedTable } from '../../database/recorded-tables.js';
import { db, statement } from '../../database/sql.js';
import { found, invalidInput, notFound } from '../../errors.js';
import { portableName } from '../../storage/file-names.js';
import type { AuditSubjectType } from '../../values/audit.js';
import type { AuditCheckpointService } from '../audit/checkpoints.service.js';
import { jsonLines } from '../audit/export.service.js';
import { canonicalJson } from '../audit/personal-values.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { record } from '../audit/record.js';
import { organizationEvent } from '../audit/subjects.js';
import { checkpointsOf, entriesUpTo, headAt, headOf, pruningOf, type SignedCheckpoint } from '../audit/trails.js';
import type { AuditVerificationService } from '../audit/verification.service.js';
import { SIGNED_ADDRESS } from '../files/downloads.service.js';
import { type DownloadLinks, type ProofSignature } from '../files/download-links.js';
import { addressGuard, type GuardedFile } from '../files/guarded-addresses.js';
import { NOT_RECORDED, type AsOfService } from './as-of.service.js';
import type { RecordedRow } from './recorded-fields.js';
import type { RecordedRows } from './recorded-state.js';
import type { RecordedStates } from './recorded-states.js';

/** A state to prove: everything recorded of an organization, or of one of its objects, at an instant. */
export interface ProofRequest {
  organizationId: number;
  /** Now when absent. */
  asOf?: Date | null;
  /** Type and id, such as `INCIDENT/7`. */
  object?: string | null;
}

interface Wanted {
  organizationId: number;
  asOf: Date;
  object: string | null;
}

const nameAndZone = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select(['name', 'time_zone as timeZone'])
    .where('deleted_at', 'is', null)
    .where('id', '=', p('organizationId')),
);

interface ProofDeps {
  checkpoints: AuditCheckpointService;
  verification: AuditVerificationService;
  states: RecordedStates;
  readings: ReadRecorder;
  links: DownloadLinks;
  now: () => Date;
}

/**
 * The proof of a state at an instant, with the entries that made it and the checkpoints around it, as one file that
 * scripts/verify-proof.mjs verifies without the gateway (docs/adr/0046).
 */
export class ProofService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly asOf: AsOfService,
    private readonly deps: ProofDeps,
  ) {}

  /** A signed address of the file, for this caller. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async address(caller: Caller, request: ProofRequest): Promise<string> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', request.organizationId);
    const wanted = this.wanted(request);
    // Without arguments there is nothing to refuse, unless the state is still being recorded.
    if (request.asOf != null || wanted.object !== null) await this.find(wanted);
    return this.deps.links.proofAddress(wanted.organizationId, { ...wanted, for: userOf(caller).username });
  }

  /** The file for a caller with a token. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async forCaller(caller: Caller, request: ProofRequest): Promise<PreparedFile> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', request.organizationId);
    return this.prepare(caller as Actor, this.wanted(request));
  }

  /**
   * The file for the holder of its address, while the member for whom it was made may read it. It has the entries up
   * to its checkpoint, which may be new. Throws NOT_FOUND otherwise, and for an invalid or expired address.
   */
  async bySignature(organizationId: number, signature: ProofSignature, origin: Origin): Promise<GuardedFile> {
    if (!this.deps.links.isGoodProof(organizationId, signature)) throw notFound();
    const { asOf, object, for: username } = signature;
    const guard = await addressGuard(this.database, this.access, {
      username,
      privileges: ['READ_AUDIT_TRAIL'],
      organizationId,
    });
    return { ...(await this.prepare({ ...SIGNED_ADDRESS, origin }, { organizationId, asOf, object })), guard };
  }

  private wanted({ organizationId, asOf, object = null }: ProofRequest): Wanted {
    const [type = ''] = object === null ? [] : (/^[A-Z_]+(?=\/.)/.exec(object) ?? []);
    if (object !== null && !Object.hasOwn(OBJECTS, type))
      throw invalidInput([{ path: ['object'], sentence: NO_OBJECT }]);
    return { organizationId, asOf: asOf ?? this.deps.now(), object };
  }

  /** Finds all errors before the first byte: afterwards a file can only be aborted. */
  private async prepare(actor: Actor, wanted: Wanted): Promise<PreparedFile> {
    const { organizationId, asOf } = wanted;
    const organization = found(await nameAndZone.first(this.database, { organizationId }));
    await this.find(wanted);
    const name = `${portableName(`${organization.name} proof ${dayOf(asOf, organization.timeZone)}`)}.ndjson`;
    const open = async () => {
      const lines = await this.lines(actor, { id: organizationId, name: organization.name }, wanted);
      return Readable.from(this.signed(lines), { objectMode: false });
    };
    return { name, open };
  }

  /** The rows to prove. Throws BAD_USER_INPUT, and NOT_FOUND for an object that did not exist then. */
  private async find({ organizationId, asOf: at, object }: Wanted) {
    const { rows, ...entry } = await this.asOf.recorded({ organizationId, at });
    const answer = object === null ? rows : ofObject(rows, object);
    if (Object.values(answer).every((each) => each.length === 0)) throw notFound();
    return { ...entry, answer };
  }

  /** Records the download; repetitions within a minute are counted. Throws CONFLICT while the trail has a defect. */
  private async lines(actor: Actor, organization: { id: number; name: string }, wanted: Wanted) {
    const { organizationId, asOf, object } = wanted;
    const { checkpoints, readings, states, verification, now } = this.deps;
    const owner = { organizationId };
    await verification.requireValid(owner);
    const changes = { asOf: { after: asOf }, ...(object !== null && { object: { after: object } }) };
    const event = organizationEvent(organization, { action: 'PROOF_EXPORTED', at: now(), changes });
    await readings.readWith(actor, event, () => record(this.database, actor, event));
    // Read after the download is recorded, which may be an entry of the same instant.
    const { position, hash, answer } = await this.find(wanted);
    const pruning = await pruningOf(this.database, await headOf(this.database, owner));
    const { head, checkpoint, earlier } = await this.closing(owner, {
      ...{ position, asOf, isPruned: pruning !== undefined },
    });
    const beginning = await states.beginning(organizationId, position);
    const { keys } = checkpoints.keySet as { keys: object[] };
    const proof = {
      ...{ format: 1, organization: organizationId, as_of: asOf, object, position, hash, last: head.position },
      ...{ not_recorded: NOT_RECORDED, keys },
    };
    const besides = { checkpoint, earlier, pruned: pruning?.statement };
    const entries = jsonLines(entriesUpTo(await this.database.longReads(), head), besides);
    return (async function* () {
      yield `${JSON.stringify({ proof })}\n`;
      if (beginning !== undefined) yield `{"beginning":{"position":${beginning.position},"rows":${beginning.rows}}}\n`;
      yield* entries;
      yield `{"answer":${canonicalJson(answer)}}\n`;
    })();
  }

  /**
   * The last checkpoint of the file and those before it: the first that proves the entry to be the last at the
   * instant, or a new one. In a pruned trail the newest entry is signed, so that the file has the record of the
   * pruning.
   */
  private async closing(
    owner: { organizationId: number },
    { position, asOf, isPruned }: { position: number; asOf: Date; isPruned: boolean },
  ) {
    const shows = (made: SignedCheckpoint) =>
      made.position > position || (made.position === position && new Date(made.at) >= asOf);
    const head = await headOf(this.database, owner);
    const read = async () => (await checkpointsOf(this.database, head)).map(({ checkpoint }) => checkpoint);
    const known = isPruned ? undefined : (await read()).find(shows);
    const sign = () => this.deps.checkpoints.signing(owner, async (tx, signed) => signed(await headOf(tx, owner)));
    const checkpoint = known ?? (await sign());
    const all = await read();
    const place = all.findIndex(({ signature }) => signature === checkpoint.signature);
    return { head: headAt(head, checkpoint), checkpoint, earlier: all.slice(0, place) };
  }

  private async *signed(lines: AsyncIterable<string>): AsyncGenerator<string> {
    const sum = createHash('sha256');
    for await (const text of lines) {
      sum.update(text);
      yield text;
    }
    yield this.deps.checkpoints.signProof(sum.digest('hex'));
  }
}

/** The columns that identify an object in each table; the script has the same. */
const OBJECTS: Readonly<Partial<Record<AuditSubjectType, Partial<Record<RecordedTable, readonly string[]>>>>> = {
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

const NO_OBJECT = `must be a type and an id, such as INCIDENT/7; types are ${Object.keys(OBJECTS).join(', ')}`;

function ofObject(rows: RecordedRows, object: string): Partial<RecordedRows> {
  const slash = object.indexOf('/');
  const [type, id] = [object.slice(0, slash) as AuditSubjectType, object.slice(slash + 1)];
  const isIts = (columns: readonly string[]) => (row: RecordedRow) => columns.map((name) => row[name]).join('/') === id;
  const tables = Object.entries(OBJECTS[type] ?? {}) as [RecordedTable, readonly string[]][];
  return Object.fromEntries(tables.map(([table, columns]) => [table, rows[table].filter(isIts(columns))]));
}
