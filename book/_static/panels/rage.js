// The benchmark example of the RAGE paper in two dimensions, with an angle of 0.4.
{
  const setting = {
   "of": "features",
   "label": "Three arms in the plane of two features, and theta; you can move all of them.",
   "prompt": "drag x' towards e1: finding the best item takes longer, and e2 is measured most.",
   "instance": {
    "arms": [
     "e1",
     "e2",
     "x'"
    ],
    "objectives": [
     "mean"
    ],
    "features": [
     [1, 0],
     [0, 1],
     [0.921061, 0.389418]
    ],
    "theta": [
     [2],
     [0]
    ],
    "noise": {
     "kind": "gaussian",
     "sd": 1
    },
    "question": {
     "kind": "best"
    }
   },
   "delta": 0.05,
   "methods": [
    {
     "name": "rage",
     "label": "RAGE",
     "constants": [
      "theory",
      "printed"
     ]
    },
    {
     "name": "xy-static",
     "label": "XY-static"
    },
    {
     "name": "lingame",
     "label": "LinGame"
    },
    {
     "name": "oracle",
     "label": "oracle"
    }
   ],
   "window": [
    [-0.5, 1.5],
    [-0.5, 1.5]
   ],
   "arrow": 0.5,
   "maxPulls": 2000000
  };
  purexp.load("live/live.js").then(() => purexp.load("live/plane.js")).then(
    () => purexp.panel("rage", element => purexp.plane(element, setting)),
    err => purexp.panel("rage", element => { element.textContent = err.message; }),
  );
}
