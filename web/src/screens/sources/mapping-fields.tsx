import { Anchor, Collapse, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'

/** The fields of a signal that a connection’s mapping can find. */
const FIELDS = [
  'text',
  'source',
  'source_url',
  'occurred_at',
  'actor_name',
  'actor_email',
  'signal_origin',
  'actor_role',
  'metadata',
  'event',
] as const

export type Mapping = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>

interface Props {
  readonly mapping: Mapping
  readonly onChange: (mapping: Mapping) => void
}

/** Where a signal’s fields are in what a connection’s sender sends. */
export const MappingFields = ({ mapping, onChange }: Props) => {
  const [opened, { toggle }] = useDisclosure(Object.keys(mapping).length > 0)
  return (
    <div>
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened}>
        {t('Where a signal’s fields are in what it sends')}
      </Anchor>
      <Collapse expanded={opened}>
        <Text size="xs" c="dimmed" my="sm">
          {rich(
            'JSON pointers into the whole body, such as /data/message/text. Left empty, {code} is a signal itself.',
            { code: <code>data</code> },
          )}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {FIELDS.map(field => (
            <TextInput
              key={field}
              size="xs"
              label={word(field)}
              placeholder={`/data/${field}`}
              pattern="/.*"
              title={t('A JSON pointer begins with /.')}
              value={mapping[field] ?? ''}
              onChange={event => onChange({ ...mapping, [field]: event.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
      </Collapse>
    </div>
  )
}
