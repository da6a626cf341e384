// Preloaded into the built program (`--import`): on SIGUSR2 its clock moves by MOVE milliseconds and its timers do not, as when a laptop
// has slept or somebody has set the clock.
const {now} = Date;
let moved = 0;
Date.now = () => now() + moved;
process.on('SIGUSR2', () => {
	moved += Number(process.env['MOVE']);
});
