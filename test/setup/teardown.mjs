/** Global teardown: stops the server of this run and removes its files. */
export default async function tearDown() {
  await globalThis.testDatabase?.stop();
}
