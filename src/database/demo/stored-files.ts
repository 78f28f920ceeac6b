import type { EntityManager } from '@mikro-orm/postgresql';
import { lockContent } from '../../services/blob-references.js';
import { stageLogo } from '../../services/logos.js';
import type { BlobStore, StagedBlob } from '../../storage/blob-store.js';
import { judgeFile } from '../../storage/judge-file.js';
import { LIMITS } from '../../vocabulary/limits.js';
import type { Queryable } from '../database.js';

export interface DemoFile {
  name: string;
  content: Buffer;
}

/** What a row says of its file. */
export interface StoredFile {
  originalName: string;
  contentType: string;
  size: number;
  sha256: string;
}

/** Puts the demo's files where uploads go, by the same judgement and in the same order: bytes before their row. */
export class StoredFiles {
  private readonly tx: Queryable;

  constructor(
    em: EntityManager,
    private readonly store: BlobStore,
  ) {
    this.tx = queryable(em);
  }

  async keep({ name, content }: DemoFile): Promise<StoredFile> {
    const staged = await this.store.stage(once(content), LIMITS.document.maxBytes);
    return this.keeping(staged, async () => {
      const { path, head, size, sha256 } = staged;
      const { mediaType } = await judgeFile({ path, head, size, filename: name });
      return { originalName: name, contentType: mediaType, size, sha256 };
    });
  }

  /** Keeps a logo and returns the path that an organization's row holds. */
  async keepLogo({ name, content }: DemoFile): Promise<string> {
    const facts = async () => ({ filename: name });
    const { staged, path } = await stageLogo(this.store, { bytes: once(content), facts });
    return this.keeping(staged, async () => path);
  }

  private async keeping<Facts>(staged: StagedBlob, judge: () => Promise<Facts>): Promise<Facts> {
    try {
      const facts = await judge();
      // The sweep of another instance waits until our rows are committed, and then finds them.
      await lockContent(this.tx, staged.sha256);
      await staged.keep();
      return facts;
    } finally {
      await staged.discard();
    }
  }
}

async function* once(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Statements with `$1`, `$2`, … in rising order, each once, in the ORM's transaction, whose placeholders are `?`. */
function queryable(em: EntityManager): Queryable {
  return { rows: (text, values = []) => em.execute(text.replaceAll(/\$\d+/g, '?'), [...values]) };
}
