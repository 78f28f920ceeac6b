export interface Progress {
  done: number;
  inProgress: number;
  toDo: number;
  notApplicable: number;
}

export const applicable = ({ done, inProgress, toDo }: Progress) => done + inProgress + toDo;

/** Whole percent, as in the weekly report: 100 if everything is done, or if nothing applies. */
export const shareDone = (progress: Progress) => {
  const all = applicable(progress);
  if (all === 0) return progress.notApplicable > 0 ? 1 : 0;
  return Math.floor((100 * progress.done) / all) / 100;
};
