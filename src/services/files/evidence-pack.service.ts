import { dayOf } from '../../common/local-time.js';
import type { Access } from '../../auth/access.js';
import { userOf, type Caller, type Origin } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { invalidInput, notFound } from '../../errors.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName } from '../../storage/file-names.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Batches } from '../../common/spreadsheets.js';
import { zipStream } from '../../common/zip-stream.js';
import type { AuditCheckpointService } from '../audit/checkpoints.service.js';
import { jsonLines } from '../audit/export.service.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { recordWorkflow, workflowEvent } from '../audit/subjects.js';
import { entriesAbout, headAt, headOf, pruningOf } from '../audit/trails.js';
import type { AuditVerificationService } from '../audit/verification.service.js';
import { SIGNED_ADDRESS } from './downloads.service.js';
import { type DownloadLinks, type PackSignature } from './download-links.js';
import { addressGuard, type GuardedFile } from './guarded-addresses.js';
import { packEntries, type PackStreams } from './evidence-pack-entries.js';
import { statusHistory } from './evidence-pack-tables.js';
import {
  evidenceSnapshot,
  inPeriod,
  type EvidenceSnapshot,
  type PackedFile,
  type Period,
} from './evidence-snapshot.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';

type IncidentPeriod = Period & { organizationId: number };

/** A file of an incident that is the copy of a report. */
interface IncidentFile extends Omit<PackedFile, 'path'> {
  id: number;
  incidentId: number;
  originalName: string;
}

interface PackDeps {
  store: BlobStore;
  links: DownloadLinks;
  /** Incidents as tables, by the paths of their files. */
  incidents: {
    of(
      reads: Queryable,
      period: IncidentPeriod,
      pathOf: (attachmentId: number) => string | undefined,
    ): [name: string, rows: () => Batches][];
    copies(reads: Queryable, period: IncidentPeriod): Promise<IncidentFile[]>;
  };
  regimes: PackStreams['regimes'];
  readings: ReadRecorder;
  now: () => Date;
}

/** Period and recipient of a pack. */
interface Preparation {
  period: Period;
  preparedFor: string;
  /** Whether the recipient may read actors in the audit trail. */
  names: boolean;
}

/** Privileges for a pack, and for names of users in it. */
const SHOWN = ['READ_DOCUMENTS', 'READ_INCIDENTS'] as const;
const NAMES = 'READ_AUDIT_TRAIL';

/** Number of contents looked up in the storage at a time. */
const LOOKED_FOR_AT_ONCE = 16;

/** Evidence packs (docs/adr/0011): all evidence of an organization for a workflow, in one verifiable archive. */
export class EvidencePackService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly checkpoints: AuditCheckpointService,
    private readonly verification: AuditVerificationService,
    private readonly deps: PackDeps,
  ) {}

  /** A signed address of the pack, issued to the caller. Throws NOT_FOUND and FORBIDDEN. */
  async address(caller: Caller, key: OrganizationWorkflowKey, period: Period): Promise<string> {
    this.database.past.refuse('FILES');
    const names = await this.authorize(caller, key);
    requireTime(period);
    return this.deps.links.packAddress(key, { for: userOf(caller).username, ...period, names });
  }

  /** The pack for a caller with a token. Throws NOT_FOUND and FORBIDDEN. */
  async forCaller(caller: Caller, key: OrganizationWorkflowKey, period: Period): Promise<PreparedFile> {
    const names = await this.authorize(caller, key);
    requireTime(period);
    return this.prepare(caller, key, { period, preparedFor: userOf(caller).username, names });
  }

  /**
   * The present pack for a signed address, while the member that it was issued to may read it, which `guard` checks
   * again. Throws NOT_FOUND afterwards, and for an invalid or expired address.
   */
  async bySignature(key: OrganizationWorkflowKey, signature: PackSignature, origin: Origin): Promise<GuardedFile> {
    if (!this.deps.links.isGoodPack(key, signature)) throw notFound();
    const { for: preparedFor, names, ...period } = signature;
    const privileges = names ? ([...SHOWN, NAMES] as const) : SHOWN;
    const { organizationId } = key;
    const guard = await addressGuard(this.database, this.access, { username: preparedFor, privileges, organizationId });
    return { ...(await this.prepare({ ...SIGNED_ADDRESS, origin }, key, { period, preparedFor, names })), guard };
  }

  /** Whether names of the audit trail may be shown. */
  private async authorize(caller: Caller, { organizationId }: OrganizationWorkflowKey): Promise<boolean> {
    for (const privilege of SHOWN) await this.access.authorize(caller, privilege, organizationId);
    return this.access.allows(caller, NAMES, organizationId);
  }

  /** Finds every error before the first byte: afterwards an archive can only be truncated. */
  private async prepare(caller: Caller, key: OrganizationWorkflowKey, prepared: Preparation): Promise<PreparedFile> {
    const period = { organizationId: key.organizationId, ...prepared.period };
    const { everything, files } = await this.presentSnapshot(key, period);
    const copies = files.map((file) => ({ ...file, path: pathOf(file) }));
    const paths = new Map(copies.map(({ id, path }) => [id, path]));
    const day = dayOf(everything.asOf, everything.timeZone);
    const name = `${portableName(`${everything.organization} ${key.workflowId} evidence ${day}`)}.zip`;
    const snapshot = inPeriod(everything, prepared.period);
    const open = async () => {
      const { head, pruning, checkpoint } = await this.recordDownload(
        caller,
        { ...key, name: everything.workflow.name },
        prepared.period,
      );
      const { checkpoints, deps } = this;
      const reads = await this.database.longReads();
      const trail = () => entriesAbout(reads, head, objectsOf(key, everything), period);
      const tables: PackStreams['tables'] = [
        ['status-history', () => statusHistory(reads, trail(), key.workflowId, prepared)],
        ...deps.incidents.of(reads, period, (id) => paths.get(id)),
      ];
      const signManifest = (text: string) => checkpoints.signManifest(text);
      const { keySet } = checkpoints;
      const lines = jsonLines(trail(), { checkpoint });
      const streams = {
        trail: lines,
        prunedTo: pruning?.statement?.position,
        tables,
        regimes: deps.regimes,
        checkpoint,
        keySet,
        signManifest,
      };
      return zipStream(packEntries({ ...key, ...prepared, everything, snapshot, copies }, streams, deps.store));
    };
    return { name, open };
  }

  /** Records the download; a repetition within a minute is counted. Throws CONFLICT for a trail with a defect. */
  private async recordDownload(
    caller: Caller,
    workflow: OrganizationWorkflowKey & { name: string },
    { from = null, to = null }: Period,
  ) {
    const changes = (from ?? to) !== null && { changes: { from: { after: from }, to: { after: to } } };
    const { organizationId } = workflow;
    await this.verification.requireValid({ organizationId });
    const facts = { action: 'EVIDENCE_PACK_DOWNLOADED', at: this.deps.now(), ...changes } as const;
    const signed = (isFirst: boolean) =>
      this.checkpoints.signing({ organizationId }, async (tx, sign) => {
        if (isFirst) await recordWorkflow(tx, caller, workflow, facts);
        const head = await headOf(tx, { organizationId });
        const pruning = await pruningOf(tx, head);
        const checkpoint = await sign(head);
        return { head: headAt(head, checkpoint), pruning, checkpoint };
      });
    const event = workflowEvent(workflow, facts);
    return (await this.deps.readings.readWith(caller, event, () => signed(true))) ?? (await signed(false));
  }

  /** A file may be deleted between reading the rows and its bytes, so missing bytes are looked up once more. */
  private async presentSnapshot(key: OrganizationWorkflowKey, period: IncidentPeriod) {
    const reads = await this.database.longReads();
    const read = async () => {
      const everything = await evidenceSnapshot({ reads, catalogs: this.catalogs, now: this.deps.now }, key);
      const files = await this.deps.incidents.copies(reads, period);
      const { documents, mapped } = inPeriod(everything, period);
      return { everything, files, missing: await this.missing([...documents, ...mapped, ...files]) };
    };
    const first = await read();
    if (first.missing.length === 0) return first;
    const later = await read();
    if (later.missing.length > 0) throw new Error(`The bytes of stored files are gone: ${later.missing.join(', ')}`);
    return later;
  }

  /** Ids of the files without bytes. Throws UNAVAILABLE when the storage is away. */
  private async missing(files: readonly { id: number; sha256: string }[]): Promise<number[]> {
    const found = new Map<string, boolean>();
    const wanted = [...new Set(files.map(({ sha256 }) => sha256))].values();
    const look = async () => {
      for (const sha256 of wanted) found.set(sha256, await this.deps.store.has(sha256));
    };
    await Promise.all(Array.from({ length: LOOKED_FOR_AT_ONCE }, look));
    return files.filter(({ sha256 }) => found.get(sha256) !== true).map(({ id }) => id);
  }
}

/** The number makes the name unique. */
function pathOf({ id, incidentId, originalName }: IncidentFile): string {
  return `incident-reports/${incidentId}/${id}-${portableName(originalName)}`;
}

/** An empty period would look as if there was no evidence. */
function requireTime({ from, to }: Period): void {
  if (from != null && to != null && from >= to) throw invalidInput([{ path: ['from'], sentence: 'must be before to' }]);
}

/**
 * Objects whose entries of the trail belong to the workflow, including former controls that have
 * documents or a status.
 */
function objectsOf(
  { workflowId }: OrganizationWorkflowKey,
  { workflow, documents, states, mapped }: EvidenceSnapshot,
): string[] {
  const controls = [
    ...workflow.controls.map(({ id }) => `${workflowId}/${id}`),
    ...[...documents, ...mapped].map((document) => `${document.workflowId}/${document.artifactId}`),
    ...[...states.keys()].map((controlId) => `${workflowId}/${controlId}`),
  ];
  return [`WORKFLOW/${workflowId}`, ...[...new Set(controls)].map((control) => `CONTROL/${control}`)];
}
