import { createHash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import {
  fileTooLarge,
  inputError,
  invalidInput,
  reading,
  refuseErrors,
  wholeError,
  type DomainError,
} from '../../errors.js';
import type { StagedBlob } from '../../storage/blob-store.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import { ZipArchive } from '../../storage/zip-archive.js';
import type { ImportedDocumentOutcome } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { StoredContent } from '../files/stored-content.js';
import { inColumns, timeFor, type RowCheck } from '../shared/import-rows.js';
import { refusalOf, type RowRefusal } from '../shared/rows.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { WorkflowService } from '../workflows/workflows.service.js';
import { nameOf, readManifest, type DocumentManifest, type ManifestRow } from './document-manifest.js';
import { NOT_ITS, type DocumentVersionUpdateService } from './document-version-update.service.js';
import type { ArtifactKey, DocumentVersionService } from './document-versions.service.js';

export interface DocumentArchive extends OrganizationWorkflowKey {
  file: IncomingFile;
  check: RowCheck;
}

export interface ImportedDocumentRow {
  row: number | null;
  path: string | null;
  outcome: ImportedDocumentOutcome;
  documentVersion: object | null;
  error: RowRefusal | null;
}

export interface ImportedArchive extends Pick<DocumentManifest, 'ignoredColumns'> {
  rows: ImportedDocumentRow[];
}

/** A document of an archive, or a file that its manifest does not name. */
interface PlannedDocument {
  row: number | null;
  path: string | null;
  said: ManifestRow['said'];
  /** Why it is not uploaded. */
  error: DomainError | undefined;
}

interface ReceivedArchive extends Pick<DocumentManifest, 'ignoredColumns'> {
  archive: ZipArchive;
  rows: PlannedDocument[];
  staged: StagedBlob;
}

interface PlannedUpload {
  archive: ZipArchive;
  planned: Pick<PlannedDocument, 'said' | 'error'>;
  check: RowCheck;
  /** The selection of a result. */
  selection: Selection;
}

type ArchiveLimits = Pick<typeof LIMITS.archive | typeof LIMITS.importJob, 'entries' | 'documents' | 'manifestBytes'>;

/** Fields of an upload, by their names in manifests. */
const FIELDS: Readonly<Record<string, string>> = {
  ...{ control_id: 'artifactId', content_type: 'contentType', effective_at: 'effectiveAt', valid_until: 'validUntil' },
  note: 'note',
};

const stored = statement<ArtifactKey & { sha256: string }>()((p) =>
  db
    .selectFrom('document_version')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .where('artifact_id', '=', p('artifactId'))
    .where('sha256', '=', p('sha256')),
);

/** Uploads the documents of an archive that its manifest names, such as an evidence pack, each independently. */
export class DocumentImportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: {
      content: StoredContent;
      workflows: WorkflowService;
      documents: DocumentVersionService;
      updates: DocumentVersionUpdateService;
      stallSeconds: number;
    },
  ) {}

  /**
   * One result for each document of the manifest, in order, and one for each file that it does not name. `selection` is that
   * of a result. Throws NOT_FOUND, FORBIDDEN, and BAD_USER_INPUT and FILE_TOO_LARGE for the archive.
   */
  async import(
    caller: Caller,
    { organizationId, workflowId, file, check }: DocumentArchive,
    selection: Selection,
  ): Promise<ImportedArchive> {
    const key = { organizationId, workflowId };
    const mayGoOn = timeFor(this.deps.stallSeconds);
    return this.received(caller, key, file, LIMITS.archive, async ({ archive, rows, ignoredColumns }) => {
      const results: ImportedDocumentRow[] = [];
      for (const planned of rows) {
        const shown = { row: planned.row, path: planned.path, documentVersion: null, error: null };
        if (!mayGoOn() && planned.row !== null) {
          results.push({ ...shown, outcome: 'NOT_DONE' });
          continue;
        }
        try {
          const { created, documentVersion } = await this.upload(caller, key, { archive, planned, check, selection });
          results.push({ ...shown, outcome: created ? 'ADDED' : 'UNCHANGED', documentVersion });
        } catch (error) {
          results.push({ ...shown, outcome: 'REFUSED', error: refusalOf(error) });
        }
      }
      return { rows: results, ignoredColumns };
    });
  }

  /** Receives an archive and passes it to `work`. Throws as `import` does. */
  async received<Result>(
    caller: Caller,
    key: OrganizationWorkflowKey,
    file: IncomingFile,
    limits: ArchiveLimits,
    work: (received: ReceivedArchive) => Promise<Result>,
  ): Promise<Result> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', key.organizationId);
    await this.deps.workflows.requireAssociated(key);
    const staged = await this.deps.content.store.stage(file.bytes, LIMITS.archive.maxBytes);
    try {
      const archive = await reading('file', () => ZipArchive.open(staged.path, limits.entries));
      try {
        const manifest = await reading('file', () => readManifest(archive, limits));
        if ((manifest.workflowId ?? key.workflowId) !== key.workflowId)
          throw invalidInput([wholeError(['file'], 'manifest.json is of another workflow')]);
        const rows = [...plan(manifest), ...unnamed(manifest, archive)];
        return await work({ archive, rows, ignoredColumns: manifest.ignoredColumns, staged });
      } finally {
        archive.close();
      }
    } finally {
      await staged.discard();
    }
  }

  /** One document, by the rules of an upload. An existing one is not stored again. */
  async upload(
    caller: Caller,
    key: OrganizationWorkflowKey,
    { archive, planned, check, selection }: PlannedUpload,
  ): Promise<{ created: boolean; documentVersion: object }> {
    const { said, error } = planned;
    if (error !== undefined) throw error;
    return inColumns(columnOf, () => this.uploadAs(caller, key, { archive, said, check, selection }));
  }

  private async uploadAs(
    caller: Caller,
    key: OrganizationWorkflowKey,
    { archive, said, check, selection }: Omit<PlannedUpload, 'planned'> & Pick<PlannedDocument, 'said'>,
  ) {
    const given = Object.entries(FIELDS).map(([name, field]) => [field, said.get(name)] as const);
    const { fields, errors } = check(Object.fromEntries(given.filter(([, text]) => text !== undefined)));
    refuseErrors(errors);
    const { artifactId, effectiveAt, validUntil, note, contentType } = fields as Record<string, string | undefined>;
    const artifact = { ...key, artifactId: artifactId as string };
    const about = {
      effectiveAt: effectiveAt === undefined ? null : new Date(effectiveAt),
      validUntil: validUntil ?? null,
      note: note || null,
    };
    const sha256 = said.get('sha256')?.toLowerCase();
    const found = sha256 === undefined ? undefined : await stored.first(this.database, { ...artifact, sha256 });
    const shown = selection.of('documentVersion');
    const path = said.get('path') ?? '';
    if (found !== undefined) {
      if ((await sha256Of(archive.read(path))) !== sha256) throw invalidInput([inputError('sha256', NOT_ITS)]);
      await this.deps.updates.refuseOther(this.database, { ...key, id: found.id }, about);
      return { created: false, documentVersion: await this.deps.documents.byId(found.id, shown, this.database) };
    }
    const facts = { filename: nameOf({ said }), source: 'imported', ...(contentType !== undefined && { contentType }) };
    const incoming = { bytes: archive.read(path), facts: async () => facts };
    return this.deps.updates.upload(
      await this.access.renewed(caller),
      { ...artifact, ...about, file: incoming, sha256: sha256 ?? null },
      shown,
    );
  }
}

/** Throws FILE_TOO_LARGE for more than a document may have. */
async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256');
  let size = 0;
  for await (const piece of bytes) {
    if ((size += piece.length) > LIMITS.document.maxBytes) throw fileTooLarge(LIMITS.document.maxBytes);
    sum.update(piece);
  }
  return sum.digest('hex');
}

/** The documents of a manifest, with the errors of those that are not uploaded. */
function plan({ rows }: DocumentManifest): PlannedDocument[] {
  const ofControl = Map.groupBy(rows, ({ said }) => said.get('control_id'));
  const places = new Map<string | undefined, number>();
  return rows.map(({ row, said, error: cellError }) => {
    const control = said.get('control_id');
    const place = places.get(control) ?? 0;
    places.set(control, place + 1);
    // Later ones would trim it at once.
    const isTrimmed = (ofControl.get(control)?.length ?? 0) - place > LIMITS.document.versionsKept;
    const error = cellError ?? (isTrimmed ? invalidInput([inputError('control_id', TOO_MANY)]) : undefined);
    return { row, path: said.get('path') ?? null, said, error };
  });
}

const TOO_MANY = `has more than ${LIMITS.document.versionsKept} documents`;

/** Files without a document: missing from the archive's manifest. */
function unnamed({ rows, others }: DocumentManifest, archive: ZipArchive): PlannedDocument[] {
  const named = new Set(rows.map(({ said }) => said.get('path')));
  const paths = [...archive.files.keys()].filter((path) => !named.has(path) && !others.has(path));
  return paths.map((path) => {
    const error = invalidInput([inputError('path', 'is not in manifest.json')]);
    return { row: null, path, said: new Map(), error };
  });
}

function columnOf(field: string): string {
  return Object.entries(FIELDS).find(([, each]) => each === field)?.[0] ?? field;
}
