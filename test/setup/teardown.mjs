/** After the last test: the server of this run ends and its files go. */
export default async function tearDown() {
  await globalThis.testDatabase?.stop();
}
