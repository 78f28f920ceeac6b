import type { EntityManager } from '@mikro-orm/postgresql';
import { lockContent } from '../services/files/blob-references.js';
import { stageLogo } from '../services/organizations/logo.service.js';
import type { BlobStore, StagedBlob } from '../storage/blob-store.js';
import { detectFileType } from '../storage/file-type.js';
import { LIMITS } from '../values/limits.js';
import type { DemoFile } from './fixtures.js';
import type { Queryable } from '../database/database.js';

/** Columns of a row that describe its file. */
interface StoredFile {
  originalName: string;
  contentType: string;
  size: number;
  sha256: string;
}

/** Stores files as uploads are stored: the same check of their type, and bytes before their row. */
export class StoredFiles {
  private readonly tx: Queryable;

  constructor(
    em: EntityManager,
    private readonly blobs: BlobStore,
  ) {
    this.tx = queryable(em);
  }

  async store({ name, content }: DemoFile): Promise<StoredFile> {
    const staged = await this.blobs.stage(streamOf(content), LIMITS.document.maxBytes);
    return this.storeStaged(staged, async () => {
      const { path, head, size, sha256 } = staged;
      const { mediaType } = await detectFileType({ path, head, size, filename: name });
      return { originalName: name, contentType: mediaType, size, sha256 };
    });
  }

  /** Returns the path for the organization's row. */
  async storeLogo({ name, content }: DemoFile): Promise<string> {
    const facts = async () => ({ filename: name });
    const { staged, path } = await stageLogo(this.blobs, { bytes: streamOf(content), facts });
    return this.storeStaged(staged, async () => path);
  }

  private async storeStaged<Facts>(staged: StagedBlob, describe: () => Promise<Facts>): Promise<Facts> {
    try {
      const facts = await describe();
      // The sweep of another instance waits for our commit, and then finds the rows.
      await lockContent(this.tx, staged.sha256);
      await staged.keep();
      return facts;
    } finally {
      await staged.discard();
    }
  }
}

async function* streamOf(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Runs statements in the ORM's transaction, whose placeholders are `?` in the order of the values. */
export function queryable(em: EntityManager): Queryable {
  return {
    rows: (text, values = []) => {
      const inOrder = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]);
      return em.execute(text.replaceAll(/\$\d+/g, '?'), inOrder);
    },
  };
}
