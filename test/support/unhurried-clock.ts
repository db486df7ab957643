import { type Clock, systemClock } from '../../src/kernel/system/clock.ts'

/** Whose alarms never ring: what is asked for is waited for, however busy the machine is. */
export const unhurriedClock: Clock = {
  ...systemClock,
  alarm: () => ({ passed: new Promise(() => undefined), cancel: () => undefined }),
}
