import type { Broker, Cluster } from 'kafkajs'

/**
 * How long a fetch waits for records while all partitions are fetched, ms. The first record ends the wait. Each fetch
 * costs consumer and broker about 1 ms of CPU, and a processor has a dozen consumers.
 */
const IDLE_WAIT_MS = 1000

/** A Fetch response without records, as kafkajs expects it. */
const NO_RECORDS = { responses: [] }

/**
 * Lets a kafkajs consumer wait longer in a fetch while `isIdle`, and not at all after `end`. Sets the wait for each
 * fetch, while kafkajs has one wait for all.
 */
export const createIdleFetch = (isIdle: () => boolean) => {
  const attached = new WeakSet<Broker>()
  const waiting = new Set<() => void>()
  let isEnded = false

  const attachTo = (broker: Broker): void => {
    if (attached.has(broker)) return
    attached.add(broker)
    const fetch = broker.fetch.bind(broker)
    broker.fetch = request =>
      new Promise((resolve, reject) => {
        // In a new turn of the event loop, since kafkajs fetches in a loop until it has stopped.
        if (isEnded) return void setImmediate(resolve, NO_RECORDS)
        const end = (): void => resolve(NO_RECORDS)
        waiting.add(end)
        fetch(isIdle() ? { ...request, maxWaitTime: IDLE_WAIT_MS } : request)
          .then(resolve, reject)
          .finally(() => waiting.delete(end))
      })
  }

  return {
    /** The cluster must belong to this consumer alone. */
    attach(cluster: Cluster): void {
      const findBroker = cluster.findBroker.bind(cluster)
      cluster.findBroker = async node => {
        const broker = await findBroker(node)
        attachTo(broker)
        return broker
      }
    },

    /** Ends fetches under way, and all later ones, without records. */
    end(): void {
      isEnded = true
      for (const end of waiting) end()
    },
  }
}
