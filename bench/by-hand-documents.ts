import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { PeerDatabase } from './peer-database.js';

export interface Artifact {
  organizationId: number;
  workflowId: string;
  artifactId: string;
}

const LOCK = `select pg_advisory_xact_lock(hashtextextended($1, 2))`;

/**
 * Finds or inserts, retains ten versions, notifies the other members, and returns contents that no row references any
 * more.
 */
const STORE = `
  with existing as (
    select id, created_at from document_version where organization_id = $1 and workflow_id = $2 and artifact_id = $3 and sha256 = $4
  ), inserted as (
    insert into document_version (organization_id, workflow_id, artifact_id, sha256, original_name, size, content_type, source, created_by)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9 where not exists (select from existing) returning id, created_at
  ), trimmed as (
    delete from document_version where exists (select from inserted) and id in (
      select id from document_version where organization_id = $1 and workflow_id = $2 and artifact_id = $3 order by id desc offset 9)
    returning id, sha256
  ), notified as (
    insert into notification (user_id, organization_id, title, message, type, action, created_at, icon, href)
    select m.user_id, $1, 'New document version', $9 || ' has uploaded “' || $5 || '” for ' || $3 || '.', 'DOCUMENT', 'OPEN', now(),
           'fa fa-file', '/organizations/' || $1 || '/workflows/' || $2 || '/controls/' || $3
      from membership m, app_user u
     where m.organization_id = $1 and u.id = m.user_id and u.username <> $9 and exists (select from inserted)
  )
  select found.id, found.created_at, exists (select from inserted) as created,
         array(select sha256 from trimmed where not exists (
           select from document_version other where other.sha256 = trimmed.sha256 and other.id <> trimmed.id)) as unreferenced
    from (select * from inserted union all select * from existing) found`;

const CONTENT = Buffer.from('"content":"');
const QUOTE = 0x22;

/**
 * The document upload by hand: the same durable work as the gateway's, without authorization or detection of the file
 * type.
 */
export class ByHandDocuments {
  private readonly folders = new Map<string, Promise<FileHandle>>();

  constructor(
    private readonly database: PeerDatabase,
    private readonly directory: string,
    private readonly uploader: string,
  ) {
    mkdirSync(join(directory, 'staging'), { recursive: true });
    for (let n = 0; n < 256; n += 1) mkdirSync(join(directory, n.toString(16).padStart(2, '0')), { recursive: true });
  }

  async upload(artifact: Artifact, body: Buffer) {
    // The content is cut out as bytes and decoded once; only the rest is parsed as JSON.
    const start = body.indexOf(CONTENT) + CONTENT.length;
    const end = body.indexOf(QUOTE, start);
    const content = Buffer.from(body.toString('latin1', start, end), 'base64');
    const rest = body.toString('latin1', 0, start) + body.toString('latin1', end);
    const facts = JSON.parse(Buffer.from(rest, 'latin1').toString()) as Record<
      'filename' | 'content_type' | 'source',
      string
    >;
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.writeContent(content, sha256);
    const row = await this.store(artifact, [sha256, facts.filename, content.length, facts.content_type, facts.source]);
    await Promise.all(row.unreferenced.map((each) => rm(this.pathOf(each), { force: true })));
    return {
      created: row.created,
      version: {
        id: row.id,
        artifact_id: artifact.artifactId,
        original_name: facts.filename,
        size: content.length,
        content_type: facts.content_type,
        source: facts.source,
        created_by: this.uploader,
        created_at: row.created_at,
        download_url: downloadUrl(row.id),
      },
    };
  }

  /** Writes the content to its final path before the row is inserted. */
  private async writeContent(content: Buffer, sha256: string): Promise<void> {
    const staged = join(this.directory, 'staging', randomUUID());
    const file = await open(staged, 'wx');
    try {
      await file.write(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(staged, this.pathOf(sha256));
    await (await this.folder(sha256.slice(0, 2))).sync();
  }

  private folder(name: string): Promise<FileHandle> {
    let folder = this.folders.get(name);
    if (folder === undefined) this.folders.set(name, (folder = open(join(this.directory, name), 'r')));
    return folder;
  }

  private pathOf(sha256: string): string {
    return join(this.directory, sha256.slice(0, 2), sha256);
  }

  private async store(artifact: Artifact, file: unknown[]): Promise<Stored> {
    const { organizationId, workflowId, artifactId } = artifact;
    const [, stored] = await this.database.transaction([
      { name: 'lock', text: LOCK, values: [`${organizationId}/${workflowId}/${artifactId}`] },
      { name: 'store', text: STORE, values: [organizationId, workflowId, artifactId, ...file, this.uploader] },
    ]);
    return stored?.[0] as unknown as Stored;
  }
}

interface Stored {
  id: number;
  created_at: string;
  created: boolean;
  unreferenced: string[];
}

const LINK_SECONDS = 15 * 60;

function downloadUrl(id: number): string {
  const expires = Math.floor(Date.now() / 1000) + LINK_SECONDS;
  const signature = createHmac('sha256', 'bench').update(`${id}:${expires}`).digest('base64url');
  return `http://localhost/api/v1/downloads/documents/${id}?expires=${expires}&signature=${signature}`;
}
