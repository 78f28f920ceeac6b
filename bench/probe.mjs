/**
 * Loaded into each server process before its own code: answers on the channel to its parent how much processor time the
 * process has taken so far, and ends the process when its parent is gone.
 */
process.on('message', (message) => {
  if (message === 'cpu') process.send({ cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit());
// Listening must not keep a server alive that wants to end.
process.channel?.unref();
