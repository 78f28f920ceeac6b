/** Why a message was not taken. `message` is a sentence that members may read. */
export class MailFault extends Error {
  constructor(
    message: string,
    /** Whether trying again would change nothing: the queue then makes it a dead letter at once. */
    readonly permanent: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
    this.name = 'MailFault';
  }
}
