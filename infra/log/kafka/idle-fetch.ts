import type { Broker, Cluster } from 'kafkajs'

/**
 * How long a fetch waits for records when nothing else can become due: an answer comes with the first record. A fetch
 * costs reader and broker about a millisecond each, and a processor has a dozen consumers.
 */
const IDLE_WAIT_MS = 1000

/** What kafkajs takes for an answer without records. */
const NO_RECORDS = { responses: [] }

/**
 * Has a consumer of kafkajs wait longer where it is idle, and not at all once it is to stop. Each fetch is asked
 * anew, while kafkajs itself knows one wait for all.
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
        // In a new turn of the event loop, as kafkajs fetches again and again until it has stopped.
        if (isEnded) return void setImmediate(resolve, NO_RECORDS)
        const end = (): void => resolve(NO_RECORDS)
        waiting.add(end)
        fetch(isIdle() ? { ...request, maxWaitTime: IDLE_WAIT_MS } : request)
          .then(resolve, reject)
          .finally(() => waiting.delete(end))
      })
  }

  return {
    /** The cluster is one that this consumer alone fetches from. */
    attach(cluster: Cluster): void {
      const findBroker = cluster.findBroker.bind(cluster)
      cluster.findBroker = async node => {
        const broker = await findBroker(node)
        attachTo(broker)
        return broker
      }
    },

    /** Fetches end without records, those under way at once. */
    end(): void {
      isEnded = true
      for (const end of waiting) end()
    },
  }
}
