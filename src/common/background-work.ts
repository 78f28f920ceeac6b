/** Runs work at intervals apart from any request, one run at a time. */
export class BackgroundWork {
  private running: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    everyMilliseconds: number,
    private readonly work: (isLast: boolean) => Promise<void>,
    private readonly onError: (err: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.run(false), everyMilliseconds).unref();
  }

  /** Runs once more. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    await this.run(true);
  }

  private run(isLast: boolean): Promise<void> {
    this.running ??= this.work(isLast)
      .catch(this.onError)
      .finally(() => (this.running = undefined));
    return this.running;
  }
}
