import { readdir, readlink } from 'node:fs/promises';

/** Open files of this process below a folder; none where the system does not report them. */
export async function openFilesBelow(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}
