// Preloaded into the built program (`--import`): on SIGUSR2 its clock moves by MOVE milliseconds
// and its timers do not, as after a laptop's sleep or a change of the clock.
const {now} = Date;
let moved = 0;
Date.now = () => now() + moved;
process.on('SIGUSR2', () => {
	moved += Number(process.env['MOVE']);
});
