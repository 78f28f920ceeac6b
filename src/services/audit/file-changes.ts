import type { FieldChange } from './record.js';

/** A stored file as trails have it: what is known of it when its row has gone. */
export interface RecordedFile {
  filename: string;
  /** Lower-case hexadecimal. */
  sha256: string;
  /** Bytes. */
  size: number;
  /** Id of the user who uploaded it; null where that is not known. */
  uploader: string | null;
}

export function fileAdded({ filename, sha256, size, uploader }: RecordedFile): Record<string, FieldChange> {
  return {
    filename: { after: filename },
    sha256: { after: sha256 },
    size: { after: size },
    uploader: { after: uploader },
  };
}

export function fileRemoved({ filename, sha256, size, uploader }: RecordedFile): Record<string, FieldChange> {
  return {
    filename: { before: filename },
    sha256: { before: sha256 },
    size: { before: size },
    uploader: { before: uploader },
  };
}
