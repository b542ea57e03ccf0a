import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { timerMs } from '../../runtime/timers.ts'

// kafkajs ended in 2023 with 2.2.4, which package.json pins: its inner files do not change any more.

/** Interval of checking a request that may not be sent yet when no throttle time is known, ms; kafkajs' value. */
const CHECK_PENDING_MS = 10
/** Precision of request timeouts, ms; the timeouts themselves are seconds. */
const TIMEOUT_CHECK_MS = 1000

let isInstalled = false

/**
 * Stops the timers of idle kafkajs connections in this process. kafkajs checks every millisecond for a request to send,
 * even when none waits, and ten times a second for timeouts: with a dozen consumers an idle processor wakes 1,400 times
 * a second (kafkajs issues 1556 and 1704).
 */
export const restWhileIdle = (): void => {
  if (isInstalled) return
  isInstalled = true
  const { prototype } = RequestQueue
  // By a monotonic clock: after the clock was set back a year, kafkajs would send nothing for a year.
  prototype.maybeThrottle = function (milliseconds) {
    if (milliseconds > 0) this.throttledUntil = Math.max(this.throttledUntil, performance.now() + milliseconds)
  }
  prototype.canSendSocketRequestImmediately = function () {
    const isFull = this.maxInFlightRequests !== null && this.inflight.size >= this.maxInFlightRequests
    return !isFull && this.throttledUntil <= performance.now()
  }
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return
    const throttledMs = this.throttledUntil - performance.now()
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null
        this.checkPendingRequests()
      },
      timerMs(throttledMs > 0 ? throttledMs : CHECK_PENDING_MS),
    )
  }
  prototype.scheduleRequestTimeoutCheck = function () {
    if (!this.enforceRequestTimeout) return
    this.destroy()
    this.requestTimeoutIntervalId = setInterval(
      () => {
        for (const request of this.inflight.values()) {
          if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest()
        }
        if (!this.isConnected()) this.destroy()
      },
      Math.min(this.requestTimeout, TIMEOUT_CHECK_MS),
    )
  }
}
