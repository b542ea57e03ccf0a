import { Button, Modal } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { percent } from '../../parts/formats.ts'
import { later } from '../../parts/later.tsx'
import { isAbove, LIKELY, type Likely, type MergeGroup } from './likely.ts'
import { besideOf, type Merges } from './use-merges.ts'
import { focusCurrent } from './use-selection.ts'

const LikelyPairs = later(
  loadPart(() => import('./likely-pairs.tsx')),
  pairs => pairs.LikelyPairs,
)

/** Below even odds nobody merges without reading. */
const BARS = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5]

interface Props {
  readonly groups: readonly MergeGroup[]
  readonly merges: Merges
}

/** Merges all pairs above a chance as one decision, after a look at what they are; nothing where none is so likely. */
export const MergeLikely = ({ groups, merges }: Props) => {
  // What was there when it was opened: nothing is merged that came while somebody looked.
  const [opened, setOpened] = useState<Likely | null>(null)
  const likely = useMemo(() => likelyOf(groups), [groups])
  const wasOpen = useRef(false)
  // The button that opened it may be gone.
  useEffect(() => {
    if (wasOpen.current && opened === null) focusCurrent()
    wasOpen.current = opened !== null
  }, [opened])
  return (
    <>
      {likely !== null && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconChecks size={14} aria-hidden />}
          onClick={() => setOpened(likely)}
        >
          {t('Merge the {pairs} above {usual}…', {
            pairs: likely.pairs.filter(isAbove(likely.usual)).length,
            usual: percent(likely.usual),
          })}
        </Button>
      )}
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={t('Merge the likeliest')}
        size="xl"
        returnFocus={false}
      >
        {opened !== null && <LikelyPairs {...opened} merges={merges} onClose={() => setOpened(null)} />}
      </Modal>
    </>
  )
}

const likelyOf = (groups: readonly MergeGroup[]): Likely | null => {
  const pairs = groups.flatMap(group => group.pairs.map(pair => ({ ...pair, beside: besideOf(group, pair) })))
  const bars = BARS.filter(bar => pairs.filter(isAbove(bar)).length > 1)
  const usual = bars.find(bar => bar <= LIKELY) ?? bars.at(-1)
  return usual === undefined ? null : { pairs, bars, usual }
}
