import type { ChildProcess } from 'node:child_process';

/** Sends `question` and waits for the answer. Throws when the process ends before it has answered. */
export function requestAnswer<Answer>(child: ChildProcess, question: object | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('A process of the measurement ended unexpectedly'));
    if (!child.connected) return ended();
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer as Answer);
    });
    child.send(question);
  });
}
