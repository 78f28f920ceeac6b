import { GetObjectCommand, paginateListObjectsV2, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { DomainError } from '../errors.js';
import type { S3Location } from './blob-store.js';
import { RECORDS, type RecordStore } from './record-store.js';
import { asDomainError, onService, s3Client, SILENCE_MS } from './s3-blob-store.js';

/** Records in the bucket of the blobs: `<prefix>audit-checkpoints/<folder>/<name>`. */
export class S3RecordStore implements RecordStore {
  private readonly client: S3Client;

  constructor(private readonly location: S3Location) {
    this.client = s3Client(location, SILENCE_MS);
  }

  async put(folder: string, name: string, text: string): Promise<void> {
    if ((await this.get(folder, name)) !== undefined) return;
    const body = { Body: text, ContentType: 'application/json' };
    await onService(() => this.client.send(new PutObjectCommand({ ...this.address(folder, name), ...body })));
  }

  async get(folder: string, name: string): Promise<string | undefined> {
    try {
      const { Body } = await onService(() => this.client.send(new GetObjectCommand(this.address(folder, name))));
      return await Body?.transformToString();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** In the order of characters, as the service lists them. */
  async newest(folder: string): Promise<string | undefined> {
    const { bucket: Bucket } = this.location;
    const Prefix = this.address(folder, '').Key;
    let newest: string | undefined;
    try {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.client }, { Bucket, Prefix }))
        newest = Contents.at(-1)?.Key?.slice(Prefix.length) ?? newest;
    } catch (error) {
      throw asDomainError(error);
    }
    return newest;
  }

  close(): void {
    this.client.destroy();
  }

  private address(folder: string, name: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${RECORDS}/${folder}/${name}` };
  }
}
