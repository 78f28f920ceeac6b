export interface Progress {
  done: number;
  inProgress: number;
  toDo: number;
  notApplicable: number;
}

export const applicable = ({ done, inProgress, toDo }: Progress) => done + inProgress + toDo;

/** In whole percent, as the weekly report has it: all of it where everything is done, and where there is nothing that applies. */
export const shareDone = (progress: Progress) => {
  const all = applicable(progress);
  if (all === 0) return progress.notApplicable > 0 ? 1 : 0;
  return Math.floor((100 * progress.done) / all) / 100;
};
