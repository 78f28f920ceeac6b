import { createHash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { badUserInput, fileTooLarge, inputError, invalidInput } from '../../errors.js';
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

/** Fields of an upload, by the names that manifests have for them. */
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

/** Uploads the documents of an archive that names them in a manifest, as an evidence pack does: each by itself. */
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
  ): Promise<ImportedDocumentRow[]> {
    const key = { organizationId, workflowId };
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    await this.deps.workflows.requireAssociated(key);
    const mayGoOn = timeFor(this.deps.stallSeconds);
    const staged = await this.deps.content.store.stage(file.bytes, LIMITS.archive.maxBytes);
    try {
      const archive = await ZipArchive.open(staged.path);
      try {
        const manifest = await readManifest(archive);
        if ((manifest.workflowId ?? workflowId) !== workflowId)
          throw badUserInput(['manifest.json is of another workflow']);
        const upload = (row: ManifestRow) => this.upload(caller, key, { archive, row, check, selection });
        return [...(await rowsOf(manifest, upload, mayGoOn)), ...unnamed(manifest, archive)];
      } finally {
        archive.close();
      }
    } finally {
      await staged.discard();
    }
  }

  /** One document, with the rules of an upload. What is there already is not stored again. */
  private async upload(
    caller: Caller,
    key: OrganizationWorkflowKey,
    {
      archive,
      row,
      check,
      selection,
    }: { archive: ZipArchive; row: ManifestRow; check: RowCheck; selection: Selection },
  ) {
    const { said } = row;
    const given = Object.entries(FIELDS).map(([name, field]) => [field, said.get(name)] as const);
    const { fields, errors } = check(Object.fromEntries(given.filter(([, text]) => text !== undefined)));
    if (errors.length > 0) throw invalidInput(errors);
    const { artifactId, effectiveAt, validUntil, note, contentType } = fields as Record<string, string | undefined>;
    const artifact = { ...key, artifactId: artifactId as string };
    const sha256 = said.get('sha256')?.toLowerCase();
    const found = sha256 === undefined ? undefined : await stored.first(this.database, { ...artifact, sha256 });
    const shown = selection.of('documentVersion');
    const path = said.get('path') ?? '';
    if (found !== undefined) {
      if ((await sha256Of(archive.read(path))) !== sha256) throw invalidInput([inputError('sha256', NOT_ITS)]);
      return { created: false, documentVersion: await this.deps.documents.byId(found.id, shown, this.database) };
    }
    const facts = { filename: nameOf(row), source: 'imported', ...(contentType !== undefined && { contentType }) };
    const incoming = { bytes: archive.read(path), facts: async () => facts };
    return this.deps.updates.upload(
      await this.access.renewed(caller),
      {
        ...artifact,
        ...{ file: incoming, sha256: sha256 ?? null, validUntil: validUntil ?? null, note: note ?? null },
        effectiveAt: effectiveAt === undefined ? null : new Date(effectiveAt),
      },
      shown,
    );
  }
}

/** Throws FILE_TOO_LARGE for what no document may be. */
async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256');
  let size = 0;
  for await (const piece of bytes) {
    if ((size += piece.length) > LIMITS.document.maxBytes) throw fileTooLarge(LIMITS.document.maxBytes);
    sum.update(piece);
  }
  return sum.digest('hex');
}

async function rowsOf(
  { rows }: DocumentManifest,
  upload: (row: ManifestRow) => Promise<{ created: boolean; documentVersion: object }>,
  mayGoOn: () => boolean,
): Promise<ImportedDocumentRow[]> {
  const ofControl = Map.groupBy(rows, ({ said }) => said.get('control_id'));
  const results: ImportedDocumentRow[] = [];
  for (const row of rows) {
    const { said, error: wrong } = row;
    const shown = { row: row.row, path: said.get('path') ?? null, documentVersion: null, error: null };
    if (!mayGoOn()) {
      results.push({ ...shown, outcome: 'NOT_DONE' });
      continue;
    }
    try {
      if (wrong !== undefined) throw wrong;
      const siblings = ofControl.get(said.get('control_id')) ?? [];
      // Later ones would take its place at once.
      if (siblings.length - siblings.indexOf(row) > LIMITS.document.versionsKept)
        throw invalidInput([inputError('control_id', `has more than ${LIMITS.document.versionsKept} documents`)]);
      const { created, documentVersion } = await inColumns(columnOf, () => upload(row));
      results.push({ ...shown, outcome: created ? 'ADDED' : 'UNCHANGED', documentVersion });
    } catch (error) {
      results.push({ ...shown, outcome: 'REFUSED', error: refusalOf(error) });
    }
  }
  return results;
}

/** Files that no document is: they were to be imported, or the manifest lacks them. */
function unnamed({ rows, others }: DocumentManifest, archive: ZipArchive): ImportedDocumentRow[] {
  const named = new Set(rows.map(({ said }) => said.get('path')));
  const paths = [...archive.files.keys()].filter((path) => !named.has(path) && !others.has(path));
  return paths.map((path) => {
    const error = refusalOf(invalidInput([inputError('path', 'is not in manifest.json')]));
    return { row: null, path, outcome: 'REFUSED', documentVersion: null, error };
  });
}

function columnOf(field: string): string {
  return Object.entries(FIELDS).find(([, each]) => each === field)?.[0] ?? field;
}
