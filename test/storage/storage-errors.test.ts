import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { onDisk } from '../../src/storage/blob-store.js';

describe('an error of local storage', () => {
  it.each(['ENOSPC', 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'EDQUOT', 'EFBIG', 'ENOTCONN'])(
    '%s is UNAVAILABLE and keeps its cause',
    async (code) => {
      const error = Object.assign(new Error(code), { code });
      await expect(onDisk(() => Promise.reject(error))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        messages: [],
        retryAfter: 5,
        cause: error,
      });
    },
  );

  it('of a disk that is full for real is UNAVAILABLE', async () => {
    if (process.platform !== 'linux') return;
    await expect(onDisk(() => writeFile('/dev/full', 'x'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('of another sort passes as it came', async () => {
    const error = new TypeError('ours');
    await expect(onDisk(() => Promise.reject(error))).rejects.toBe(error);
  });
});
