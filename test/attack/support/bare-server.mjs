/**
 * The minimal server for refused requests: responds with 401, reads the body and drops it. Closes the connection if the
 * header X-Close is set. Prints its port.
 */
import { createServer } from 'node:http';

/** As much live memory as the gateway has: each body that is read triggers garbage collections of it. */
const HEAP_BYTES = 80e6;
const BODY = '{"error":1,"messages":[1001]}';

const heap = [];
while (process.memoryUsage().heapUsed < HEAP_BYTES) {
  for (let at = 0; at < 10_000; at += 1) heap.push({ at, text: `object ${heap.length}` });
}

const server = createServer((request, response) => {
  const close = request.headers['x-close'] === undefined ? {} : { connection: 'close' };
  response.writeHead(401, { 'content-type': 'application/json', 'content-length': BODY.length, ...close });
  response.write(BODY);
  request.on('end', () => response.end()).resume();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
// Referenced for the lifetime of the server.
server.heap = heap;
