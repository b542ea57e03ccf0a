import { readFileSync } from 'node:fs'
import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { AssayError } from '../runtime/errors.ts'
import { choice, flag, optional, type Setting, text, url } from '../runtime/settings.ts'
import type { KafkaLogConnection, SaslMechanism } from './connect.ts'

const BROKER = /^(?:[\w.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/i

const brokers: Setting<readonly string[]> = {
  env: 'KAFKA_BROKERS',
  doc: 'Kafka brokers to begin with; they tell the others.',
  allowed: 'addresses separated by commas, each a host and a port, such as kafka-1:9092,kafka-2:9092',
  secret: false,
  parse: list => {
    const addresses = list.split(',').map(address => address.trim())
    return addresses.every(address => BROKER.test(address)) ? addresses : undefined
  },
  write: addresses => addresses.join(','),
}

/** How separately running programs reach the log. */
export const KAFKA_CONFIG = {
  kafkaBrokers: brokers,
  schemaRegistryUrl: url({
    env: 'SCHEMA_REGISTRY_URL',
    doc: 'A schema registry with Confluent’s API; for Apicurio the address ends in /apis/ccompat/v7. May carry a user and a password.',
  }),
  kafkaTls: flag({ env: 'KAFKA_TLS', default: false, doc: 'Whether to speak TLS with the brokers.' }),
  kafkaTlsCertificate: optional(
    text({
      env: 'KAFKA_TLS_CERTIFICATE',
      doc: 'The file with the certificate, in PEM, by which brokers that ask for one know the programs (mTLS).',
    }),
  ),
  kafkaTlsKey: optional(
    text({ env: 'KAFKA_TLS_KEY', doc: 'The file with the private key of that certificate, in PEM.' }),
  ),
  kafkaUsername: optional(text({ env: 'KAFKA_USERNAME', doc: 'Whom to sign in as at the brokers, with SASL.' })),
  kafkaPassword: optional(text({ env: 'KAFKA_PASSWORD', secret: true, doc: 'The password of KAFKA_USERNAME.' })),
  kafkaSaslMechanism: choice<SaslMechanism>({
    env: 'KAFKA_SASL_MECHANISM',
    values: ['plain', 'scram-sha-256', 'scram-sha-512'],
    default: 'scram-sha-512',
    doc: 'How to sign in. Counts with KAFKA_USERNAME.',
  }),
} satisfies ConfigSchema

type KafkaConfig = ConfigOf<typeof KAFKA_CONFIG>

const saslOf = ({ kafkaSaslMechanism: mechanism, kafkaUsername: username, kafkaPassword: password }: KafkaConfig) => {
  if (username === null) return null
  if (password !== null) return { mechanism, username, password }
  const message = 'KAFKA_USERNAME is set, but KAFKA_PASSWORD is not. Set both, or none for brokers without SASL.'
  throw new AssayError('invalid_configuration', message)
}

const readPem = (file: string, variable: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AssayError('invalid_configuration', `The file that ${variable} names cannot be read: ${file}.`, {
      cause: error,
    })
  }
}

const certificateOf = ({ kafkaTls, kafkaTlsCertificate: certificate, kafkaTlsKey: key }: KafkaConfig) => {
  if (certificate === null && key === null) return null
  if (certificate === null || key === null || !kafkaTls) {
    const message =
      'KAFKA_TLS_CERTIFICATE and KAFKA_TLS_KEY go together, with KAFKA_TLS=true. Set all three, or none for brokers that ask for no certificate.'
    throw new AssayError('invalid_configuration', message)
  }
  return { cert: readPem(certificate, 'KAFKA_TLS_CERTIFICATE'), key: readPem(key, 'KAFKA_TLS_KEY') }
}

/**
 * The connection of these settings. Throws `invalid_configuration` for a user without a password, a certificate without
 * its key, or a PEM file that cannot be read.
 */
export const kafkaConnection = (config: KafkaConfig): KafkaLogConnection => ({
  kind: 'kafka',
  brokers: config.kafkaBrokers,
  tls: config.kafkaTls,
  certificate: certificateOf(config),
  sasl: saslOf(config),
  schemaRegistryUrl: config.schemaRegistryUrl,
})
