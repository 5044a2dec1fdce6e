// A custom policy in JavaScript: successive elimination for the best arm, by the protocol of docs/protocol.md. The script
// requires node 18 or newer, but no packages.
//
//   purexp policytest --exec 'node elimination.js'
//   purexp arena --exec 'node elimination.js' --question 'best item'
//
// After round r = 1, 2, ..., every remaining arm has N = 1.3^r rewards, rounded up. The rewards are sigma-sub-Gaussian. With
// probability at most delta / ((K-1) r (r+1)), the one-sided error of the difference of two sample means exceeds
//   width = sigma sqrt(4 log((K-1) r (r+1) / delta) / N).
// By a union bound over the K-1 pairs with the best arm and all rounds, the total error probability is at most delta. With
// probability at least 1 - delta, the best arm is therefore never behind by more than the width, so arms that are can be eliminated.
'use strict'

function start(init) { // returns a new run; throws an error if the policy does not support the problem
  const p = init.problem, q = p.question
  if (init.protocol !== 1) throw Error(`protocol: version ${init.protocol}; expected version 1`)
  if (q.find !== 'best' || q.weights || q.constraints) throw Error('question: expected the best arm, without weights and constraints')
  if (p.objectives !== 1) throw Error(`objectives: ${p.objectives}; expected 1`)
  if (p.features || p.items) throw Error('features: expected none; this policy ignores features')
  if (!(init.delta > 0) || init.budget) throw Error('delta: expected an error probability, and no budget')
  return {
    sigma: p.sigmas ? p.sigmas[0] : p.sigma,
    epsilon: q.epsilon || 0, // the tolerance: an arm within epsilon of the best arm is a correct answer
    delta: init.delta,
    arms: p.arms,
    left: [...Array(p.arms).keys()], // the arms that have not been eliminated
    sum: Array(p.arms).fill(0),
    n: Array(p.arms).fill(0),
    round: 0,
  }
}

const mean = (run, arm) => run.n[arm] ? run.sum[arm] / run.n[arm] : 0
const best = run => run.left.reduce((a, b) => mean(run, b) > mean(run, a) ? b : a)

// Returns the next message: a request for more rewards of every remaining arm, or the answer.
function next(run) {
  const lead = best(run)
  if (run.left.length === 1 || run.sure) return { type: 'stop', answer: { chosen: [lead] } }
  let more = 0
  while (more < 1) more = Math.ceil(1.3 ** ++run.round) - run.n[lead] // skips rounds that need no rewards
  return { type: 'ask', pulls: run.left.map(arm => [arm, more]) }
}

function tell(run, results) {
  for (const { arm, n, sum } of results) {
    run.n[arm] += n
    run.sum[arm] += sum[0] // the only objective
  }
  const lead = best(run)
  const width = run.sigma * Math.sqrt(4 * Math.log((run.arms - 1) * run.round * (run.round + 1) / run.delta) / run.n[lead])
  const behind = arm => mean(run, lead) - mean(run, arm)
  run.left = run.left.filter(arm => behind(arm) <= width)
  run.sure = run.left.every(arm => arm === lead || behind(arm) + run.epsilon > width)
}

const say = message => console.log(JSON.stringify(message))
let run // the current run; each init replaces it

require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line)
  switch (message.type) {
    case 'init':
      try {
        run = start(message)
      } catch (e) {
        return say({ type: 'refuse', why: e.message })
      }
      say({ type: 'ready', protocol: 1, name: 'successive elimination in JavaScript', evidence: 'own rounds' })
      return say(next(run))
    case 'tell':
      tell(run, message.results)
      return say(next(run))
    case 'answer': // requests the current best guess, and does not change the run
      return say({ type: 'answer', answer: { chosen: [best(run)] } })
    case 'error':
      console.error(message.message) // the host shows the standard error of the policy
      return process.exit(1)
    default:
      say({ type: 'error', message: `type: ${JSON.stringify(message.type)}; expected init, tell, answer or error` })
      return process.exit(1)
  }
})
