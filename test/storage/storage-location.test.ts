import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseStorageUrl } from '../../src/storage/storage-location.js';

const toDomainError = (url: string) => {
  try {
    parseStorageUrl(url);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('a storage address', () => {
  it.each([
    ['file:///var/lib/gateway', '/var/lib/gateway'],
    ['file:/var/lib/gateway/', '/var/lib/gateway'],
    ['file:///var/lib/my%20files', '/var/lib/my files'],
    ['file:./blobs', resolve('blobs')],
    ['file:data/blobs', resolve('data/blobs')],
    ['FILE:///srv', '/srv'],
  ])('%s is a directory', (url, directory) => {
    expect(parseStorageUrl(url)).toEqual({ kind: 'local', directory });
  });

  it('names every part of an S3 service', () => {
    const url = 's3://KEY:se%2Fcr%2Bet@store.internal:9000/evidence/acme/blobs?region=eu-south-1&tls=0&path_style=0';
    expect(parseStorageUrl(url)).toEqual({
      kind: 's3',
      endpoint: 'http://store.internal:9000',
      bucket: 'evidence',
      prefix: 'acme/blobs/',
      region: 'eu-south-1',
      pathStyle: false,
      credentials: { accessKeyId: 'KEY', secretAccessKey: 'se/cr+et' },
    });
  });

  it('needs no more than host and bucket', () => {
    expect(parseStorageUrl('s3://s3.eu-south-1.amazonaws.com/evidence')).toEqual({
      kind: 's3',
      endpoint: 'https://s3.eu-south-1.amazonaws.com',
      bucket: 'evidence',
      prefix: '',
      region: 'us-east-1',
      pathStyle: true,
      credentials: undefined,
    });
  });

  it.each([
    '',
    '/var/lib/gateway',
    'http://host/bucket',
    's3:bucket',
    'file:',
    'file:/',
    'file:///',
    'file://server/share',
    'file:///a%2',
    'file:///a?b',
    'file:///a%00b',
    'file:a%00b',
    's3://',
    's3://host',
    's3://host/',
    's3://host/b',
    's3://host/bucket/../other',
    's3://host/bucket//a',
    's3://host/bucket/%2e%2e/a',
    's3://host:99999/bucket',
    's3://KEY@host/bucket',
    's3://:TOPSECRET@host/bucket',
    's3://KEY:TOPSECRET%@host/bucket',
    's3://KEY:TOPSECRET@host/bucket?tls=yes',
    's3://KEY:TOPSECRET@host/bucket?path_style=',
    's3://KEY:TOPSECRET@host/bucket?region=a b',
    's3://KEY:TOPSECRET@host/bucket?acl=public',
    's3://KEY:TOPSECRET@host/bucket?tls=1&tls=0',
    's3://KEY:TOPSECRET@host/bucket#x',
  ])('%s is refused in one sentence without its secret', (url) => {
    expect(toDomainError(url)).toMatch(/^(must|has|knows) [^\n]+\.$|^(must|has|knows) .*\)\.$/);
    expect(toDomainError(url)).not.toContain('TOPSECRET');
  });
});
