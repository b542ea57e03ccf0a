import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { timerMs } from '../../runtime/timers.ts'

// kafkajs ended in 2023 with 2.2.4, which package.json pins: its inner files do not move any more.

/** When a request that may not be sent yet is looked at again, if nothing says when: as kafkajs has it. */
const CHECK_PENDING_MS = 10
/** How exactly a request's timeout is kept, which is seconds. */
const TIMEOUT_CHECK_MS = 1000

let isInstalled = false

/**
 * Has every connection of kafkajs in this process rest while it has nothing to do. kafkajs looks every millisecond
 * whether a request may be sent, though none waits, and ten times a second whether one took too long: with a dozen
 * consumers that wakes an idle processor 1,400 times a second (its issues 1556 and 1704).
 */
export const restWhileIdle = (): void => {
  if (isInstalled) return
  isInstalled = true
  const { prototype } = RequestQueue
  // By a clock that never goes back: kafkajs would send nothing for a year where the clock was set back by one.
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
