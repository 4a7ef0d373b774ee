/** Whether a test that has two forms runs its long one: `npm run test:faults`, `test:fuzz`, `test:scale-out`. */
export const LONG = process.env.TRASVIA_LONG_TESTS === 'on';
