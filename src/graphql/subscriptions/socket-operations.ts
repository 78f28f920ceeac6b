interface Operation {
  /** Whether its client has completed it. */
  isCompleted: boolean;
  /** Begins the one that has the same id after it. */
  next?: (() => Promise<void>) | undefined;
}

/**
 * Operations of one socket, by their ids. A client may use an id again as soon as it has completed the operation, which has not
 * ended by then: the library would mix the two up. The second one begins when the first one has ended.
 */
export class SocketOperations {
  private readonly running = new Map<unknown, Operation>();

  /** `run` resolves when the operation has ended. Answers false where the id is in use. */
  begin(id: string, run: () => Promise<void>): boolean {
    const operation = this.running.get(id);
    if (operation === undefined) void this.run(id, run);
    else if (!operation.isCompleted || operation.next !== undefined) return false;
    else operation.next = run;
    return true;
  }

  /** Harmless where there is none. */
  complete(id: unknown): void {
    const operation = this.running.get(id);
    if (operation !== undefined) Object.assign(operation, { isCompleted: true, next: undefined });
  }

  private async run(id: string, run: () => Promise<void>): Promise<void> {
    const operation: Operation = { isCompleted: false };
    this.running.set(id, operation);
    await run();
    this.running.delete(id);
    if (operation.next !== undefined) await this.run(id, operation.next);
  }
}
