import type { IncomingMessage } from 'node:http';

/**
 * Ends a body of which nothing more comes. What is there and not read yet, or all there, is no silence of the service
 * but of the reader, who may take as long as it likes.
 */
export function endWhenSilent(body: IncomingMessage, milliseconds: number): void {
  const { socket } = body;
  const judge = () => {
    // The socket tells of a silence once; it is asked to tell of the next.
    if (body.complete || body.readableLength > 0) socket.setTimeout(milliseconds);
    else body.destroy(new Error(`The service said nothing for ${milliseconds} ms in the middle of a body`));
  };
  socket.setTimeout(milliseconds).on('timeout', judge);
  body.once('close', () => socket.off('timeout', judge));
}
