/**
 * Preloaded into each server process: reports its processor time on the channel to its parent, and ends the process
 * when its parent is gone.
 */
process.on('message', (message) => {
  if (message === 'cpu') process.send({ cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit());
// The listener must not prevent the server from exiting.
process.channel?.unref();
