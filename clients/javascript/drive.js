// A host in JavaScript: one of purexp's own policies decides how often to call a function of yours, and which of its options is best, by the protocol of
// docs/protocol.md. It needs node 18 or newer, the program purexp, and no packages.
//
//   node drive.js                       # the method that suits the problem
//   node drive.js LUCB problem.json     # another one, and a problem of yours in a file
'use strict'
const { spawn } = require('child_process')
const readline = require('readline')
const fs = require('fs')

const [name = 'recommended', file] = process.argv.slice(2)
const problem = file ? JSON.parse(fs.readFileSync(file, 'utf8')) : {
  arms: 4,
  objectives: 1,
  sigma: 1, // the standard deviation of the noise
  names: ['north', 'east', 'south', 'west'],
  question: { find: 'best', epsilon: 0.1 },
}

// The function: here a simulation, with means 0, 0.5, 1, ... and Gaussian noise. Put your measurement here: a number for each objective, larger is better.
async function measure(arm) {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
  return Array.from({ length: problem.objectives }, () => 0.5 * arm + problem.sigma * gauss())
}

// n rewards of an arm, summed by objective.
async function result([arm, n]) {
  const sum = Array(problem.objectives).fill(0)
  for (let i = 0; i < n; i++) (await measure(arm)).forEach((x, j) => { sum[j] += x })
  return { arm, n, sum }
}

async function drive() {
  const policy = spawn(process.env.PUREXP || 'purexp', ['policy', name], { stdio: ['pipe', 'pipe', 'inherit'] })
  policy.on('error', e => { console.error(`${e.message}: is purexp on the PATH, or named by PUREXP?`); process.exit(1) })
  policy.stdin.on('error', () => {}) // if it ends early, converse says so
  const say = message => policy.stdin.write(JSON.stringify(message) + '\n')

  try {
    return await converse(policy.stdout, say)
  } finally {
    policy.stdin.end() // a policy ends when its input does; after refuse, too, it would wait for another init
  }
}

async function converse(lines, say) {
  let measured = 0
  say({ type: 'init', protocol: 1, problem, delta: 0.05, seed: '1' })
  for await (const line of readline.createInterface({ input: lines })) {
    const message = JSON.parse(line)
    switch (message.type) {
      case 'ready':
        console.log(message.name)
        break
      case 'ask': {
        const results = []
        for (const pull of message.pulls) results.push(await result(pull))
        measured += results.reduce((sum, r) => sum + r.n, 0)
        say({ type: 'tell', results })
        break
      }
      case 'stop': {
        const names = problem.names || [...Array(problem.arms).keys()]
        return console.log(`after ${measured} measurements: ${message.answer.chosen.map(i => names[i]).join(', ')}`)
      }
      case 'refuse':
        throw Error(`${name} cannot answer this question: ${message.why}`)
      default: // error, or what is not known
        throw Error(message.message || `unknown message type ${message.type}`)
    }
  }
  throw Error('the policy ended before its answer')
}

drive().catch(e => { console.error(e.message); process.exitCode = 1 })
