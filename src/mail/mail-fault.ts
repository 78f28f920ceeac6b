/** Why a message was not taken. `message` is a sentence that members may read. */
export class MailFault extends Error {
  /** Whether trying again would change nothing: the queue then makes it a dead letter at once. */
  readonly permanent: boolean;

  constructor(message: string, { permanent = false, cause }: { permanent?: boolean; cause?: unknown }) {
    super(message, { cause });
    this.name = 'MailFault';
    this.permanent = permanent;
  }
}
