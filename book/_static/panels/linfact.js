// Arms in the plane, with the question for all arms within epsilon of the best arm.
{
  const setting = {
   "of": "features",
   "label": "Five arms in the plane of two features, and theta; you can move all of them.",
   "prompt": "drag theta, or increase ε: which arms are within ε of the best?",
   "instance": {
    "arms": [
     "a",
     "b",
     "c",
     "d",
     "e"
    ],
    "objectives": [
     "mean"
    ],
    "features": [
     [1, 0],
     [0.9, 0.42],
     [0.6, 0.8],
     [0, 1],
     [-0.6, 0.5]
    ],
    "theta": [
     [1],
     [0.3]
    ],
    "noise": {
     "kind": "gaussian",
     "sd": 1
    },
    "question": {
     "kind": "all-epsilon-best",
     "epsilon": 0.3
    }
   },
   "delta": 0.05,
   "methods": [
    {
     "name": "linfact-g",
     "label": "LinFACT-G"
    },
    {
     "name": "linfact-xy",
     "label": "LinFACT-XY"
    }
   ],
   "epsilon": true,
   "window": [
    [-1.2, 1.5],
    [-0.8, 1.5]
   ],
   "arrow": 1,
   "maxPulls": 20000000
  };
  purexp.load("live/live.js").then(() => purexp.load("live/plane.js")).then(
    () => purexp.panel("linfact", element => purexp.plane(element, setting)),
    err => purexp.panel("linfact", element => { element.textContent = err.message; }),
  );
}
