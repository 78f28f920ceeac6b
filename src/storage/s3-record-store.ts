import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ifFound } from '../errors.js';
import type { S3Location } from './blob-store.js';
import { RECORDS, type RecordStore, type StoredRecord } from './record-store.js';
import { inTime, objectsOf, onService, s3Client } from './s3-blob-store.js';

/** Records in the bucket of the blobs: `<prefix>audit-checkpoints/<folder>/<name>`. */
export class S3RecordStore implements RecordStore {
  private readonly client: S3Client;

  constructor(
    private readonly location: S3Location,
    /** Milliseconds without an answer after which the service counts as unavailable. */
    private readonly silence: number,
  ) {
    this.client = s3Client(location, 0);
  }

  async put(records: readonly StoredRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.putOne(record)));
  }

  private async putOne({ folder, name, text }: StoredRecord): Promise<void> {
    if ((await this.get(folder, name)) !== undefined) return;
    const body = { Body: text, ContentType: 'application/json' };
    const command = new PutObjectCommand({ ...this.address(folder, name), ...body });
    await this.inTime((abortSignal) => this.client.send(command, { abortSignal }));
  }

  get(folder: string, name: string): Promise<string | undefined> {
    const command = new GetObjectCommand(this.address(folder, name));
    const read = async (abortSignal: AbortSignal) => {
      const { Body } = await this.client.send(command, { abortSignal });
      return Body?.transformToString();
    };
    return ifFound(() => this.inTime(read));
  }

  /** In the order of the service. */
  async names(folder: string): Promise<string[]> {
    const { bucket: Bucket } = this.location;
    const Prefix = this.address(folder, '').Key;
    const names: string[] = [];
    for await (const { Key } of objectsOf(this.client, this.silence, { Bucket, Prefix }))
      if (Key !== undefined) names.push(Key.slice(Prefix.length));
    return names;
  }

  close(): void {
    this.client.destroy();
  }

  private inTime<T>(send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    return onService(() => inTime(this.silence, send));
  }

  private address(folder: string, name: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${RECORDS}/${folder}/${name}` };
  }
}
