import { Button, Kbd, Paper, Text } from '@mantine/core'
import { useOperation } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Reference } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { useKeys } from '../../shell/keys.ts'
import type { PerhapsSame } from './perhaps-same.ts'
import type { ThemeActs } from './use-theme-acts.ts'

interface Props extends PerhapsSame {
  /** The reference of the theme that the person is at. */
  readonly of: string
  readonly acts: ThemeActs
}

/** Another theme that the person added signals of, to be joined with this one as a whole by one press. */
export const SameTheme = ({ reference, added, of, acts }: Props) => {
  const { data } = useOperation('lookup_theme', { id: reference, limit: 1 })
  const isOffered = data !== undefined && !data.has_ended && data.reference !== of
  const join = () => void acts.join(reference)
  useKeys(isOffered ? [{ key: 's', does: t('Same as the theme that is offered'), run: join }] : [])
  if (!isOffered) return null
  return (
    <Paper component="li" withBorder p="sm" mb="sm">
      <Text size="sm" component="div">
        {rich('You added {added} from {reference}, “{name}”. Does all of it belong here? It has {signals}:', {
          added: counted(added, 'signal'),
          reference: <Reference of={data.reference} />,
          name: <bdi>{data.name}</bdi>,
          signals: counted(data.signals, 'signal'),
        })}
      </Text>
      {data.quotes.map(({ signal_id, text }) => (
        <Quote key={signal_id} text={text} most={200} />
      ))}
      <Button
        mt="xs"
        size="compact-xs"
        variant="default"
        rightSection={
          <Kbd size="xs" aria-hidden data-keyboard>
            s
          </Kbd>
        }
        onClick={join}
      >
        {t('Same as {reference}', { reference: data.reference })}
      </Button>
    </Paper>
  )
}
