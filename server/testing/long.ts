/** Whether tests with two forms run their long one: `npm run test:faults`, `test:fuzz`, `test:scale-out`. */
export const LONG = process.env.TRASVIA_LONG_TESTS === 'on';
